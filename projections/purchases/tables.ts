import { createCounters } from '#projections/listing/counters'
import { listIndexes } from '#projections/listing/list-indexes'
import { paymentsTable, refundsTable, subscriptionsTable } from './lists/tables.ts'

/**
 * Customers, subscriptions, charges and what followed them, and subscription changes. The columns
 * class and search_text are those of `projections/listing`. The tables of the administrator's lists
 * have an index by customer from the start, because folding changes the rows of a customer.
 */
export const createTables = (schema: string): string => `${createCounters(schema)}
CREATE TABLE ${schema}.customer (
  user_id                 text COLLATE "C" PRIMARY KEY,
  email                   text COLLATE "C" NOT NULL,
  secondary_email         text COLLATE "C",
  is_primary_email_active boolean NOT NULL,
  full_name               text,
  company_name            text, -- NULL until the profile is completed
  domain                  text,
  website_url             text,
  address                 text,
  city                    text,
  state                   text,
  zipcode                 text,
  support_email           text,
  support_phone           text,
  blocked                 boolean NOT NULL
);

CREATE TABLE ${schema}.subscription (
  subscription_id         text COLLATE "C" PRIMARY KEY,
  user_id                 text COLLATE "C" NOT NULL,
  subscription_ref        text        NOT NULL,
  plan_id                 text,
  plan_name               text        NOT NULL,
  price_minor             bigint      NOT NULL,
  currency                text        NOT NULL,
  interval_unit           text        NOT NULL,
  interval_count          integer     NOT NULL,
  quantity                integer     NOT NULL,
  status                  text COLLATE "C" NOT NULL,
  started_at              timestamptz NOT NULL,
  activated_at            timestamptz, -- NULL before the plan is active for the first time
  current_period_start    timestamptz NOT NULL,
  current_period_end      timestamptz NOT NULL,
  cancel_at               timestamptz, -- NULL unless a cancellation is scheduled
  cancellation_id         text,        -- the change row of the cancellation
  planned_change          jsonb,       -- the plan that follows, and its change row
  plan_periods            jsonb       NOT NULL, -- PlanPeriod[] of shared/paid-time.ts
  resumes_at              timestamptz, -- the planned end of a pause
  ended_at                timestamptz,
  class                   text, -- status, interval category, plan name; NULL unless live
  search_text             text COLLATE "C" NOT NULL -- e-mail addresses, company
);
CREATE INDEX ON ${schema}.subscription (user_id, started_at);

-- Every attempt to collect an invoice: any number of failed attempts, and at most one successful attempt,
-- the payment. An invoice that is written off has a row of its own.
CREATE TABLE ${schema}.charge (
  charge_id                text COLLATE "C" PRIMARY KEY,
  user_id                  text COLLATE "C" NOT NULL,
  payment_id               text        NOT NULL,
  invoice_ref              text        NOT NULL,
  payment_ref              text,
  subscription_id          text,
  status                   text        NOT NULL, -- paid, failed, voided, uncollectible
  amount_minor             bigint      NOT NULL,
  currency                 text        NOT NULL,
  plan_id                  text,
  plan_name                text,
  payment_method           text, -- how it was paid; NULL for an attempt without a means
  subtotal_minor           bigint      NOT NULL,
  period_start             timestamptz, -- of the paid period
  period_end               timestamptz, -- as far as no plan change shortened the period
  occurred_at              timestamptz NOT NULL,
  attempt                  integer,     -- this and the following: NULL unless failed
  failure_reason           text,
  next_attempt_at          timestamptz
);

-- What is unpaid: an invoice with a failed attempt, as of its latest attempt or change. The row stays
-- when the invoice is paid or written off.
CREATE TABLE ${schema}.unpaid_invoice (
  payment_id      text COLLATE "C" PRIMARY KEY,
  user_id         text COLLATE "C" NOT NULL,
  subscription_id text,
  due_minor       bigint      NOT NULL,
  currency        text        NOT NULL,
  reason          text        NOT NULL, -- the provider's sentence
  code            text,
  payment_method  text,
  failed_at       timestamptz NOT NULL,
  next_attempt_at timestamptz, -- NULL if the provider plans none
  is_open         boolean     NOT NULL
);

-- What the provider charges next. No row before the first payment; NULL after the removal.
CREATE TABLE ${schema}.default_method (
  user_id text COLLATE "C" PRIMARY KEY,
  method  jsonb
);

CREATE TABLE ${schema}.change (
  change_id       text COLLATE "C" PRIMARY KEY,
  user_id         text COLLATE "C" NOT NULL,
  subscription_id text        NOT NULL,
  change_type     text        NOT NULL, -- upgrade, downgrade, cancellation
  requested_at    timestamptz NOT NULL,
  effective_at    timestamptz NOT NULL,
  withdrawn_at    timestamptz, -- the customer withdrew the change
  old_plan_name   text,
  new_plan_name   text,
  old_interval    text,
  new_interval    text,
  old_next_billing timestamptz,
  new_next_billing timestamptz,
  proration_minor bigint, -- a charge is positive, a credit negative; NULL when nothing was prorated
  currency        text        NOT NULL
);

-- The administrator's payments: a row per paid invoice, per failed attempt, per refund that did not
-- fail and per credit.
-- The id is that of the charge, refund or credit note, which has the rest.
CREATE TABLE ${schema}.payment (
  payment_id         text COLLATE "C" PRIMARY KEY,
  user_id            text COLLATE "C" NOT NULL,
  subscription_id    text,
  class              text        NOT NULL, -- length of the paid time or failed, plan
  created_at         timestamptz NOT NULL,
  amount_thousandths bigint      NOT NULL, -- of a major unit
  period_end         timestamptz, -- NULL for a refund or credit note
  expires_at         timestamptz, -- the end of the period, or of the subscription if that is earlier
  search_text        text COLLATE "C" NOT NULL -- e-mail addresses
);
CREATE INDEX ON ${schema}.payment (user_id);

-- What the receipt of a payment shows.
CREATE TABLE ${schema}.receipt (
  payment_id text COLLATE "C" PRIMARY KEY,
  user_id    text COLLATE "C" NOT NULL,
  paid_at    timestamptz NOT NULL,
  document   jsonb       NOT NULL
);

-- Who the receipt of a payment, a refund or a credit note names.
CREATE TABLE ${schema}.parties (
  document_id text COLLATE "C" PRIMARY KEY,
  user_id     text COLLATE "C" NOT NULL,
  document    jsonb       NOT NULL
);

CREATE TABLE ${schema}.refund (
  refund_id                text COLLATE "C" PRIMARY KEY,
  refund_ref               text        NOT NULL,
  payment_ref              text,
  user_id                  text COLLATE "C" NOT NULL,
  payment_id               text,
  subscription_id          text,
  plan_name                text,
  amount_minor             bigint      NOT NULL,
  currency                 text        NOT NULL,
  captured_minor           bigint,
  kind                     text        NOT NULL, -- full, partial, proration
  provider_status          text        NOT NULL,
  override                 text, -- the status that an administrator set
  override_reason          text,
  reason                   text,
  memo                     text, -- of the refund's credit note
  payment_method           text        NOT NULL,
  occurred_at              timestamptz NOT NULL,
  status                   text COLLATE "C" NOT NULL, -- as screens show it
  amount_thousandths       bigint      NOT NULL, -- of a major unit
  class                    text        NOT NULL, -- shown status, plan name, reason
  search_text              text COLLATE "C" NOT NULL -- e-mail addresses
);
CREATE INDEX ON ${schema}.refund (user_id, occurred_at DESC, refund_id DESC);

CREATE TABLE ${schema}.credit_note (
  credit_note_id        text COLLATE "C" PRIMARY KEY,
  credit_note_ref       text        NOT NULL,
  number                text        NOT NULL,
  user_id               text COLLATE "C" NOT NULL,
  payment_id            text,
  subscription_id       text,
  plan_name             text,
  amount_minor          bigint      NOT NULL,
  currency              text        NOT NULL,
  refunded_minor        bigint      NOT NULL,
  before_payment_minor  bigint      NOT NULL,
  reason                text,
  memo                  text,
  payment_method        text, -- where the credit went
  occurred_at           timestamptz NOT NULL,
  voided_at             timestamptz
);

CREATE TABLE ${schema}.dispute (
  dispute_id      text COLLATE "C" PRIMARY KEY,
  user_id         text COLLATE "C" NOT NULL,
  payment_id      text,
  subscription_id text,
  plan_name       text,
  amount_minor    bigint      NOT NULL,
  currency        text        NOT NULL,
  kind            text        NOT NULL, -- inquiry, chargeback
  reason          text        NOT NULL,
  outcome         text, -- NULL while the dispute is open
  occurred_at     timestamptz NOT NULL,
  closed_at       timestamptz
);
`

/** The purchases page reads a few rows per table, by customer. The lists read by class. */
export const createIndexes = (schema: string): string => `
CREATE INDEX ON ${schema}.customer (email);
CREATE INDEX ON ${schema}.customer (secondary_email) WHERE secondary_email IS NOT NULL;
CREATE INDEX ON ${schema}.subscription (subscription_ref);
CREATE INDEX ON ${schema}.charge (user_id, occurred_at DESC, charge_id DESC);
CREATE INDEX ON ${schema}.charge (payment_id);
CREATE INDEX ON ${schema}.receipt (user_id);
CREATE INDEX ON ${schema}.unpaid_invoice (user_id) WHERE is_open;
CREATE INDEX ON ${schema}.parties (user_id);
CREATE INDEX ON ${schema}.change (user_id, requested_at DESC, change_id DESC);
CREATE INDEX ON ${schema}.refund (payment_id);
CREATE INDEX ON ${schema}.credit_note (user_id, occurred_at DESC, credit_note_id DESC);
CREATE INDEX ON ${schema}.dispute (user_id, occurred_at DESC, dispute_id DESC);
CREATE INDEX ON ${schema}.dispute (payment_id);
CREATE INDEX ON ${schema}.payment (expires_at);
${[paymentsTable, refundsTable, subscriptionsTable].map((table) => listIndexes(schema, table)).join('\n')}
`
