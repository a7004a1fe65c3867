import { z } from 'zod';
import { comparedUuid, uuid } from './ids.ts';
import { offsetPage } from './paging.ts';
import { externalId, optional, requiredText, text, textOrNull, time } from './text.ts';

const name = requiredText(255);

/** Body of POST /business-store-branch. */
export const branchBody = z.strictObject({ name, externalId });

/** Body of PATCH /business-store-branch/{id}. Absent fields stay as they are. */
export const branchChange = z.strictObject({ name: optional(name) });

/** Query of GET /business-store-branch. */
export const branchQuery = z.strictObject(offsetPage);

/** A branch of the merchant. */
export const branch = z
  .strictObject({ id: z.uuid(), name: z.string(), externalId: textOrNull, createdAt: time, updatedAt: time })
  .meta({ id: 'BusinessStoreBranch' });
export type Branch = z.output<typeof branch>;

/** INACTIVE: nothing new is attributed to this person. Earlier attributions stay. */
export const salespersonStatuses = ['ACTIVE', 'INACTIVE'] as const;
export type SalespersonStatus = (typeof salespersonStatuses)[number];
const status = z.enum(salespersonStatuses, { error: `must be one of ${salespersonStatuses.join(', ')}` });

const USERNAME = /^[a-z0-9._-]{3,50}$/;
const USERNAME_RULE = 'must have 3 to 50 of the characters a-z, 0-9, dot, underscore and dash';

export const username = text(50)
  .refine((value) => USERNAME.test(value), { error: USERNAME_RULE })
  .meta({ pattern: USERNAME.source, description: USERNAME_RULE });

/** Body of POST /salesperson. The username is unique in the organization, so a repeated request makes no second salesperson. */
export const salespersonBody = z.strictObject({ name, username, businessStoreBranchId: optional(uuid) });

/** Body of PATCH /salesperson/{id}. Absent fields stay as they are. */
export const salespersonChange = z.strictObject({
  name: optional(name),
  status: optional(status),
  businessStoreBranchId: optional(comparedUuid),
});

/** Query of GET /salesperson. */
export const salespersonQuery = z.strictObject({ ...offsetPage, status: status.optional() });

/** A person who sells for the merchant. */
export const salesperson = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    username: z.string(),
    status: z.enum(salespersonStatuses),
    businessStoreBranch: z.strictObject({ id: z.uuid(), name: z.string() }).nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Salesperson' });
export type Salesperson = z.output<typeof salesperson>;

/** The salesperson of a payment or of a payable object, with the name of that time. */
export const attributedSalesperson = salesperson.pick({ id: true, name: true, username: true });
