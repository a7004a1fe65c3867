import { createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { OperationKind } from '@cobro/contracts/acquirer/operation-requests.ts';
import type { Authorization, AuthorizationState, Card, Settlement } from './bank.rules.ts';
import type { Issue, Nature } from './card.rules.ts';

/** The request and answer under one key. `answer` is the JSON text as it was sent; `amount` is in centavos. */
export type Operation = {
  idempotencyKey: string;
  kind: OperationKind;
  /** What the operation is about: a token, a reference, or a card's fingerprint and expiry. */
  subject: string;
  amount: bigint | null;
  /** Monthly installments of a sale; null for every other kind. */
  terms: number | null;
  outcome: 'approved' | 'declined';
  reference: string;
  answer: string;
  createdAt: Date;
};
export type ListedOperation = Omit<Operation, 'subject' | 'answer'> & { seq: bigint };
/** A key under which nothing was or ever will be done. */
export type ClosedKey = { reference: string; closedAt: Date };

/** Money of an approved sale or capture that the bank took back from the merchant for a payer. */
export type Dispute = { id: string; about: string; amount: bigint; reference: string; createdAt: Date };

export type ShownCard = Issue & { lastFourDigits: string };

export type Ledger = ReturnType<typeof openLedger>;

const schema = `
  create table if not exists vault_key (key blob not null) strict;
  create table if not exists card (
    token text primary key, nature text not null, last_four_digits text not null, fingerprint text not null,
    expiration_month integer not null, expiration_year integer not null,
    single_use integer not null, spent integer not null
  ) strict, without rowid;
  create table if not exists issue (
    token text primary key references card, network text not null, funding_source text not null, issuing_bank text not null
  ) strict, without rowid;
  create table if not exists operation (
    seq integer primary key, idempotency_key text not null unique, kind text not null, subject text not null,
    amount integer check (amount > 0), terms integer, outcome text not null, reference text not null, answer text not null,
    created_at text not null
  ) strict;
  create table if not exists authorization (
    reference text primary key, token text not null references card, amount integer not null check (amount > 0),
    authorized_at text not null, state text not null check (state in ('open', 'captured', 'voided'))
  ) strict, without rowid;
  create table if not exists settlement (
    reference text primary key, token text not null references card, amount integer not null check (amount > 0),
    refunded integer not null default 0 check (refunded between 0 and amount)
  ) strict, without rowid;
  create table if not exists dispute (
    id text primary key, about text not null references operation (idempotency_key), amount integer not null check (amount > 0),
    reference text not null, created_at text not null
  ) strict, without rowid;
  create table if not exists closed_key (
    idempotency_key text primary key, reference text not null, closed_at text not null
  ) strict, without rowid;
`;

/**
 * Opens or creates the ledger. A committed transaction survives the death of the process, because with WAL the operating system
 * has it by then. Only a power cut needs more than synchronous=normal.
 */
export function openLedger(path: string) {
  const database = new DatabaseSync(path, { timeout: 3_000, enableForeignKeyConstraints: true });
  // The exclusive lock keeps a second bank from using these books.
  database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = normal;');
  database.exec(schema);
  const statement = <R>(text: string) => {
    const prepared = database.prepare(text);
    prepared.setReadBigInts(true);
    return {
      run: (...values: SQLInputValue[]): void => void prepared.run(...values),
      get: (...values: SQLInputValue[]) => prepared.get(...values) as R | undefined,
      all: (...values: SQLInputValue[]) => prepared.all(...values) as R[],
    };
  };
  const begin = database.prepare('begin immediate');
  const commit = database.prepare('commit');

  return {
    vaultKey: vaultKey(database),
    inTransaction<T>(change: () => T): T {
      begin.run();
      try {
        const result = change();
        commit.run();
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec('rollback');
        throw error;
      }
    },
    close: () => database.close(),
    ...operations(statement),
    ...cards(statement),
    ...authorizations(statement),
    ...disputes(statement),
  };
}

type Prepare = <R>(text: string) => {
  run(...values: SQLInputValue[]): void;
  get(...values: SQLInputValue[]): R | undefined;
  all(...values: SQLInputValue[]): R[];
};

/** A key object, because making one from the bytes for each token takes ten times as long as the token. */
function vaultKey(database: DatabaseSync): KeyObject {
  database.prepare('insert into vault_key select ? where not exists (select 1 from vault_key)').run(randomBytes(32));
  return createSecretKey(database.prepare('select key from vault_key').get()?.['key'] as Uint8Array);
}

function operations(prepare: Prepare) {
  type Row = Omit<Operation, 'createdAt' | 'terms'> & { seq: bigint; terms: bigint | null; createdAt: string };
  const dated = <R extends { terms: bigint | null; createdAt: string }>(row: R) => ({
    ...row,
    terms: row.terms === null ? null : Number(row.terms),
    createdAt: new Date(row.createdAt),
  });
  const find = prepare<Row>(`
    select idempotency_key as "idempotencyKey", kind, subject, amount, terms, outcome, reference, answer,
      created_at as "createdAt"
    from operation where idempotency_key = ?`);
  const insert = prepare(`
    insert into operation (idempotency_key, kind, subject, amount, terms, outcome, reference, answer, created_at)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const listAfter = prepare<Omit<Row, 'subject' | 'answer'>>(`
    select seq, idempotency_key as "idempotencyKey", kind, amount, terms, outcome, reference, created_at as "createdAt"
    from operation where seq > ? order by seq limit ?`);
  const listOfDay = prepare<Omit<Row, 'subject' | 'answer'>>(`
    select seq, idempotency_key as "idempotencyKey", kind, amount, terms, outcome, reference, created_at as "createdAt"
    from operation
    where idempotency_key > ? and created_at between ? and ? and kind in ('sale', 'capture', 'refund')
      and outcome = 'approved'
    order by idempotency_key limit ?`);
  const findClosed = prepare<{ reference: string; closedAt: string }>(
    'select reference, closed_at as "closedAt" from closed_key where idempotency_key = ?',
  );
  const insertClosed = prepare('insert into closed_key (idempotency_key, reference, closed_at) values (?, ?, ?)');
  return {
    operation(idempotencyKey: string): Operation | undefined {
      const row = find.get(idempotencyKey);
      return row && dated(row);
    },
    addOperation(o: Operation): void {
      const { idempotencyKey, kind, subject, amount, terms, outcome, reference, answer } = o;
      insert.run(idempotencyKey, kind, subject, amount, terms, outcome, reference, answer, o.createdAt.toISOString());
    },
    /** Operations after the one numbered `seq`, oldest first. */
    operationsAfter: (seq: bigint, limit: number): ListedOperation[] => listAfter.all(seq, limit).map(dated),
    /** Operations that moved money between two times, in the order of their keys, after this key. */
    operationsBetween: (from: Date, to: Date, after: string, limit: number): ListedOperation[] =>
      listOfDay.all(after, from.toISOString(), to.toISOString(), limit).map(dated),
    closedKey(idempotencyKey: string): ClosedKey | undefined {
      const row = findClosed.get(idempotencyKey);
      return row && { reference: row.reference, closedAt: new Date(row.closedAt) };
    },
    closeKey: (idempotencyKey: string, at: Date): void =>
      insertClosed.run(idempotencyKey, `cls_${randomUUID()}`, at.toISOString()),
  };
}

function disputes(prepare: Prepare) {
  type Row = Omit<Dispute, 'createdAt'> & { createdAt: string };
  const insert = prepare('insert into dispute (id, about, amount, reference, created_at) values (?, ?, ?, ?, ?)');
  const listOfDay = prepare<Row>(`
    select id, about, amount, reference, created_at as "createdAt" from dispute
    where id > ? and created_at between ? and ? order by id limit ?`);
  return {
    addDispute: ({ id, about, amount, reference, createdAt }: Dispute): void =>
      insert.run(id, about, amount, reference, createdAt.toISOString()),
    /** Disputes between two times, in the order of their ids, after this id. */
    disputesBetween: (from: Date, to: Date, after: string, limit: number): Dispute[] =>
      listOfDay
        .all(after, from.toISOString(), to.toISOString(), limit)
        .map((row) => ({ ...row, createdAt: new Date(row.createdAt) })),
  };
}

function cards(prepare: Prepare) {
  type Row = { nature: Nature; month: bigint; year: bigint; singleUse: bigint; spent: bigint };
  const find = prepare<Row>(`
    select nature, expiration_month as month, expiration_year as year, single_use as "singleUse", spent
    from card where token = ?`);
  const insert = prepare(`
    insert into card (token, nature, last_four_digits, fingerprint, expiration_month, expiration_year, single_use, spent)
    values (?, ?, ?, ?, ?, ?, ?, 0)`);
  const findIssue = prepare<ShownCard>(`
    select last_four_digits as "lastFourDigits", network, funding_source as "fundingSource", issuing_bank as "issuingBank"
    from card join issue using (token) where token = ?`);
  const insertIssue = prepare('insert into issue (token, network, funding_source, issuing_bank) values (?, ?, ?, ?)');
  const spend = prepare('update card set spent = single_use where token = ?');
  return {
    card(token: string): Card | undefined {
      const row = find.get(token);
      return (
        row && {
          nature: row.nature,
          expiry: { month: Number(row.month), year: Number(row.year) },
          singleUse: row.singleUse === 1n,
          spent: row.spent === 1n,
        }
      );
    },
    /** Returns undefined for a card saved before the ledger kept this. */
    shownCard: (token: string): ShownCard | undefined => findIssue.get(token),
    addCard(token: string, card: Card & Issue & { lastFourDigits: string; fingerprint: string }): void {
      const { nature, lastFourDigits, fingerprint, expiry, singleUse } = card;
      insert.run(token, nature, lastFourDigits, fingerprint, expiry.month, expiry.year, singleUse ? 1 : 0);
      insertIssue.run(token, card.network, card.fundingSource, card.issuingBank);
    },
    spendIfSingleUse: (token: string): void => spend.run(token),
  };
}

function authorizations(prepare: Prepare) {
  type Row = { amount: bigint; authorizedAt: string; state: AuthorizationState; nature: Nature };
  const find = prepare<Row>(`
    select amount, authorized_at as "authorizedAt", state, nature
    from authorization join card using (token) where reference = ?`);
  const insert = prepare(
    `insert into authorization (reference, token, amount, authorized_at, state) values (?, ?, ?, ?, 'open')`,
  );
  const end = prepare('update authorization set state = ? where reference = ?');
  const findSettlement = prepare<Settlement>(
    'select amount, refunded, nature from settlement join card using (token) where reference = ?',
  );
  const insertSettlement = prepare('insert into settlement (reference, token, amount) values (?, ?, ?)');
  const insertCaptured = prepare(`
    insert into settlement (reference, token, amount) select ?, token, ? from authorization where reference = ?`);
  const refund = prepare('update settlement set refunded = refunded + ? where reference = ?');
  return {
    authorization(reference: string): Authorization | undefined {
      const row = find.get(reference);
      return row && { ...row, authorizedAt: new Date(row.authorizedAt) };
    },
    addAuthorization(reference: string, token: string, amount: bigint, authorizedAt: Date): void {
      insert.run(reference, token, amount, authorizedAt.toISOString());
    },
    captureAuthorization(authorization: string, capture: string, amount: bigint): void {
      end.run('captured', authorization);
      insertCaptured.run(capture, amount, authorization);
    },
    voidAuthorization: (reference: string): void => end.run('voided', reference),
    settlement: (reference: string): Settlement | undefined => findSettlement.get(reference),
    addSettlement: (reference: string, token: string, amount: bigint): void =>
      insertSettlement.run(reference, token, amount),
    addRefund: (reference: string, amount: bigint): void => refund.run(amount, reference),
  };
}
