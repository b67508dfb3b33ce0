import { createCounters } from '#projections/listing/counters'
import { listIndexes } from '#projections/listing/list-indexes'
import { usersTable } from './user-orders.ts'

/** One row per user, including plans and spending, so that a page of users needs one query. */
export const createTables = (schema: string): string => `${createCounters(schema)}
CREATE TABLE ${schema}.users (
  user_id                 text COLLATE "C" PRIMARY KEY,
  email                   text COLLATE "C" NOT NULL,
  secondary_email         text,
  is_primary_email_active boolean     NOT NULL,
  blocked                 boolean     NOT NULL,
  user_type               smallint    NOT NULL,
  created_at              timestamptz NOT NULL,
  full_name               text,
  company_name            text,
  domain                  text,
  website_url             text,
  address                 text,
  city                    text,
  state                   text,
  zipcode                 text,
  support_email           text,
  support_phone           text,
  plans                   jsonb       NOT NULL, -- Plan[]
  spending                jsonb       NOT NULL, -- {currency: {paid, refunded}} in minor units
  refunds                 jsonb       NOT NULL, -- Refund[]
  lost_disputes           jsonb       NOT NULL, -- ids

  -- Computed from the columns above, for sorting and searching.
  expirations             timestamptz[] NOT NULL, -- of the plans, latest first
  latest_expiration       timestamptz,
  second_expiration       timestamptz,
  spent_currency          text        NOT NULL,
  spent_minor             bigint      NOT NULL,
  spent_thousandths       bigint      NOT NULL, -- of a major unit: comparable between currencies of 0, 2 and 3 decimals
  class                   text        NOT NULL, -- rowClass: user type, blocked or active, plans
  search_text             text COLLATE "C" NOT NULL
);
`

/** Each sort key has the index of its order. */
export const createIndexes = (schema: string): string => listIndexes(schema, usersTable)
