import hashlib, hmac, json, os, re, secrets, sqlite3, sys, threading, uuid
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

PORT, BOOKS = int(sys.argv[1]), sys.argv[2]
TOKENS = [t for t in os.environ.get("ACCEPTED_TOKENS", "").split(",") if t]
MEXICO = timezone(timedelta(hours=-6))
CAPABILITIES = {
    "name": "example", "protocol": 1, "live": False, "cardPresent": False, "terms": [1, 3], "minimumPerTerm": 10_000,
    "minimumAmount": 500, "maximumAmount": 5_000_000, "installments": "AT_ONCE", "inquiry": "close", "keepsKeysDays": None,
    "settlementReport": True, "recurring": True, "networks": ["VISA", "MASTERCARD"],
}
DECLINING = {"4000000000000002": "do_not_honor", "4000000000009995": "insufficient_funds"}

db = sqlite3.connect(BOOKS, check_same_thread=False, isolation_level=None)
db.executescript("""
  pragma journal_mode = wal;
  create table if not exists vault_key (key text);
  create table if not exists operation (key text primary key, kind text, digest text, answer text, gross integer, day text);
  create table if not exists token (token text primary key, declines text, once integer, spent integer default 0);
  create table if not exists held (reference text primary key, amount integer, before text, state text default 'open');
  create table if not exists moved (reference text primary key, amount integer, refunded integer default 0);
""")
db.execute("insert into vault_key select ? where not exists (select 1 from vault_key)", (secrets.token_hex(32),))
VAULT_KEY = bytes.fromhex(db.execute("select key from vault_key").fetchone()[0])
one_at_a_time = threading.Lock()
ahead = timedelta()


class No(Exception):
    def __init__(self, status, error, message):
        super().__init__(message)
        self.status, self.body = status, {"error": error, "message": message}


def now():
    return datetime.now(timezone.utc) + ahead


def iso(time):
    return time.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03d}Z"


def row(query, *values):
    return db.execute(query, values).fetchone()


# The form of requests

def whole(least, most=99_999_999_999):
    return lambda v: type(v) is int and least <= v <= most


def text(pattern):
    return lambda v: type(v) is str and re.fullmatch(pattern, v, re.S) is not None


def merchant(v):
    descriptor = v.get("descriptor", 0) if type(v) is dict else 0
    return type(v) is dict and set(v) == {"id", "descriptor"} and is_uuid(v["id"]) and (descriptor is None or text(".{1,22}")(descriptor))


def is_uuid(v):
    return text("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")(v)


NAME = text(r"[\x21-\x7e]{1,256}")
CHARGE = {"token": NAME, "amount": whole(1), "currency": lambda v: v == "MXN", "merchant": merchant,
          "initiatedBy": lambda v: v in ("customer", "merchant")}
PRINTED = {"number": text(r"\d{12,19}"), "expirationMonth": whole(1, 12), "expirationYear": whole(2000, 2099)}
FORMS = {
    "tokens": {**PRINTED, "cvc": text(r"\d{3,4}"), "holderName": text(".{1,255}"), "use": lambda v: v in ("once", "saved")},
    "authorizations": CHARGE,
    "sales": {**CHARGE, "terms": whole(1, 99)},
    "captures": {"authorization": NAME, "amount": whole(1)},
    "voids": {"authorization": NAME},
    "refunds": {"original": NAME, "amount": whole(1)},
    "inquiries": {"idempotencyKey": is_uuid, "close": lambda v: type(v) is bool},
}


def check(path, body):
    form = FORMS[path]
    if path == "tokens" and type(body) is dict and "entryMode" in body:
        form = {**PRINTED, "use": lambda v: v == "once", "entryMode": text("CHIP|CONTACTLESS|MAGNETIC_STRIPE|MANUAL"),
                **{name: lambda v: True for name in ("cvc", "holderName", "emv") if name in body}}
    if path == "sales" and type(body) is dict and "recurring" in body:
        form = {**form, "recurring": lambda v: v is True}
    if type(body) is not dict or set(body) != set(form):
        raise No(400, "bad_request", "these fields are needed: " + ", ".join(form))
    for name, is_right in form.items():
        if not is_right(body[name]):
            raise No(400, "bad_request", f"{name} is not in its form")


# What may be done

def declined(code):
    return {"outcome": "declined", "declineCode": code, "reference": None, "time": iso(now()),
            "authCode": None, "resultCode": None, "text": None}


def approved(prefix, **more):
    return {"outcome": "approved", "reference": f"{prefix}_{uuid.uuid4()}", "time": iso(now()),
            "authCode": None, "resultCode": "00", "text": "APPROVED", **more}


def luhn(number):
    digits = [int(d) for d in reversed(number)]
    return sum(digits[0::2] + [sum(divmod(2 * d, 10)) for d in digits[1::2]]) % 10 == 0


def tokenize(body):
    number, today = body["number"], now().astimezone(MEXICO)
    if not luhn(number):
        return declined("invalid_number")
    if number[0] not in "45":
        return declined("unsupported_network")
    if (body["expirationYear"], body["expirationMonth"]) < (today.year, today.month):
        return declined("expired_card")
    token = f"tok_{secrets.token_hex(16)}"
    db.execute("insert into token (token, declines, once) values (?, ?, ?)", (token, DECLINING.get(number), body["use"] == "once"))
    return {"outcome": "approved", "token": token, "lastFourDigits": number[-4:], "time": iso(now()),
            "network": "VISA" if number[0] == "4" else "MASTERCARD", "fundingSource": "CREDIT", "issuingBank": "EXAMPLE"}


def charge(kind, body):
    known = row("select declines, once and spent from token where token = ?", body["token"])
    if known is None:
        return declined("unknown_token")
    if known[1]:
        return declined("token_spent")
    if known[0]:
        return declined(known[0])
    db.execute("update token set spent = 1 where token = ?", (body["token"],))
    if kind == "sales":
        answer = approved("sal")
        db.execute("insert into moved (reference, amount) values (?, ?)", (answer["reference"], body["amount"]))
        return answer
    seventh = now().astimezone(MEXICO).replace(hour=23, minute=30, second=0, microsecond=0) + timedelta(days=6)
    answer = approved("aut", captureBefore=iso(seventh))
    db.execute("insert into held (reference, amount, before) values (?, ?, ?)", (answer["reference"], body["amount"], iso(seventh)))
    return answer


def end_hold(kind, body):
    held = row("select amount, before, state from held where reference = ?", body["authorization"])
    if held is None:
        return declined("unknown_reference")
    if held[2] != "open":
        return declined("already_" + held[2])
    if iso(now()) >= held[1]:
        return declined("expired" if kind == "captures" else "already_expired")
    if kind == "captures" and body["amount"] > held[0]:
        return declined("amount_exceeds_authorization")
    db.execute("update held set state = ? where reference = ?", ("captured" if kind == "captures" else "voided", body["authorization"]))
    answer = approved(kind[:3])
    if kind == "captures":
        db.execute("insert into moved (reference, amount) values (?, ?)", (answer["reference"], body["amount"]))
    return answer


def refund(body):
    moved = row("select amount - refunded from moved where reference = ?", body["original"])
    if moved is None:
        return declined("not_captured" if row("select 1 from held where reference = ?", body["original"]) else "unknown_reference")
    if body["amount"] > moved[0]:
        return declined("amount_exceeds_captured")
    db.execute("update moved set refunded = refunded + ? where reference = ?", (body["amount"], body["original"]))
    return approved("ref")


def why_refused(kind, body):
    amount, terms = body.get("amount"), body.get("terms", 1)
    if "entryMode" in body:
        return "there are no terminals here"
    if terms not in CAPABILITIES["terms"] or (terms > 1 and amount < terms * CAPABILITIES["minimumPerTerm"]):
        return "terms are not offered"
    if kind in ("sales", "authorizations") and not CAPABILITIES["minimumAmount"] <= amount <= CAPABILITIES["maximumAmount"]:
        return "the amount is not offered"


# Keys. The caller holds the lock and a transaction, so whoever comes first wins.

CLOSED = "closed"


def operate(kind, key, body):
    digest = hmac.new(VAULT_KEY, f"{kind} {json.dumps(body, sort_keys=True)}".encode(), hashlib.sha256).hexdigest()
    known = row("select digest, answer from operation where key = ?", key)
    if known is not None and known[0] == CLOSED:
        return json.loads(known[1])
    if known is not None and known[0] != digest:
        raise No(422, "key_reused", "another request had this key")
    if known is not None:
        return json.loads(known[1])
    reason = why_refused(kind, body)
    if reason is not None:
        close(key)
        raise No(400, "refused", reason)
    if kind == "tokens":
        answer = tokenize(body)
    elif kind in ("authorizations", "sales"):
        answer = charge(kind, body)
    else:
        answer = refund(body) if kind == "refunds" else end_hold(kind, body)
    moves = answer["outcome"] == "approved" and kind in ("sales", "captures", "refunds")
    gross = (-body["amount"] if kind == "refunds" else body["amount"]) if moves else None
    day = now().astimezone(MEXICO).strftime("%Y-%m-%d")
    db.execute("insert into operation values (?, ?, ?, ?, ?, ?)", (key, kind, digest, json.dumps(answer), gross, day))
    return answer


def close(key):
    db.execute("insert or ignore into operation values (?, null, ?, ?, null, null)", (key, CLOSED, json.dumps(declined("key_closed"))))


def inquire(body):
    key = body["idempotencyKey"].lower()
    if body["close"]:
        close(key)
    known = row("select digest, answer from operation where key = ?", key)
    if known is None or known[0] == CLOSED:
        return {"outcome": "not_found", "closed": known is not None}
    return json.loads(known[1])


def report(day, after, limit):
    found = db.execute("""select key, answer, gross from operation where day = ? and gross is not null and key > ?
                          order by key limit ?""", (day, after, limit + 1)).fetchall()
    data = [{"id": key, "kind": "charge" if gross > 0 else "refund", "about": None, "gross": gross, "fee": None, "net": None,
             "currency": "MXN", "reference": json.loads(answer)["reference"], "time": json.loads(answer)["time"]}
            for key, answer, gross in found[:limit]]
    return {"day": day, "asOf": iso(now()), "data": data, "next": data[-1]["id"] if len(found) > limit else None}


# HTTP

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    log_message = lambda *_: None

    def do_GET(self):
        self.reply()

    do_POST = do_PUT = do_GET

    def reply(self):
        try:
            status, body = 200, self.answer()
        except No as no:
            status, body = no.status, no.body
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def answer(self):
        global ahead
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(length)
        if len(raw) < length:
            raise ConnectionError("cut off")
        url = urlsplit(self.path)
        if url.path == "/clock":
            ahead = timedelta(milliseconds=json.loads(raw)["offsetMs"])
            return {}
        given = (self.headers.get("Authorization") or "").encode()
        if TOKENS and not any(hmac.compare_digest(given, f"Bearer {token}".encode()) for token in TOKENS):
            raise No(401, "unauthorized", "a token is needed")
        if url.path == "/v1/capabilities":
            return CAPABILITIES
        if url.path == "/v1/settlement-report":
            asked = {name: values[0] for name, values in parse_qs(url.query).items()}
            with one_at_a_time:
                return report(asked["day"], asked.get("after", ""), int(asked.get("limit", 1000)))
        path = url.path.removeprefix("/v1/")
        if path not in FORMS:
            raise No(404, "not_found", "there is no such path")
        if length > 65_536:
            raise No(413, "too_large", "64 KiB at most")
        try:
            body = json.loads(raw)
        except ValueError:
            raise No(400, "bad_request", "the body is no JSON")
        key = self.headers.get("Idempotency-Key") or ""
        if path != "inquiries" and not is_uuid(key):
            raise No(400, "bad_request", "Idempotency-Key must be a UUID")
        check(path, body)
        with one_at_a_time:
            db.execute("begin immediate")
            try:
                answer = inquire(body) if path == "inquiries" else operate(path, key.lower(), body)
            except No:
                # The key of what was refused stays closed.
                db.execute("commit")
                raise
            except BaseException:
                db.execute("rollback")
                raise
            db.execute("commit")
            return answer


ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
