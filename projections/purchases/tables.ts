/** Customers, subscriptions, charges and what followed them, and subscription changes. */
export const createTables = (schema: string): string => `
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
  support_phone           text
);

CREATE TABLE ${schema}.subscription (
  subscription_id         text COLLATE "C" PRIMARY KEY,
  user_id                 text COLLATE "C" NOT NULL,
  stripe_subscription_id  text        NOT NULL,
  plan_id                 text,
  plan_name               text        NOT NULL,
  price_minor             bigint      NOT NULL,
  currency                text        NOT NULL,
  interval_unit           text        NOT NULL,
  interval_count          integer     NOT NULL,
  quantity                integer     NOT NULL,
  status                  text        NOT NULL,
  started_at              timestamptz NOT NULL,
  current_period_start    timestamptz NOT NULL,
  current_period_end      timestamptz NOT NULL,
  cancel_at               timestamptz, -- NULL unless a cancellation is scheduled
  cancellation_id         text,        -- the change row of the cancellation
  planned_change          jsonb,       -- the plan that follows, and its change row
  resumes_at              timestamptz, -- the planned end of a pause
  ended_at                timestamptz
);

-- Every attempt to collect an invoice: any number of failed attempts, and at most one successful attempt,
-- the payment. An invoice that is written off has a row of its own.
CREATE TABLE ${schema}.charge (
  charge_id                text COLLATE "C" PRIMARY KEY,
  user_id                  text COLLATE "C" NOT NULL,
  payment_id               text        NOT NULL,
  invoice_id               text        NOT NULL,
  stripe_payment_intent_id text,
  subscription_id          text,
  status                   text        NOT NULL, -- paid, failed, voided, uncollectible
  amount_minor             bigint      NOT NULL,
  currency                 text        NOT NULL,
  plan_id                  text,
  plan_name                text,
  payment_method           text        NOT NULL,
  subtotal_minor           bigint      NOT NULL,
  period_end               timestamptz, -- end of the paid period
  occurred_at              timestamptz NOT NULL
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

-- What the receipt of a payment shows.
CREATE TABLE ${schema}.receipt (
  payment_id text COLLATE "C" PRIMARY KEY,
  user_id    text COLLATE "C" NOT NULL,
  paid_at    timestamptz NOT NULL,
  document   jsonb       NOT NULL
);

CREATE TABLE ${schema}.refund (
  refund_id                text COLLATE "C" PRIMARY KEY,
  stripe_refund_id         text        NOT NULL,
  stripe_payment_intent_id text,
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
  reason                   text,
  payment_method           text        NOT NULL,
  occurred_at              timestamptz NOT NULL
);

CREATE TABLE ${schema}.credit_note (
  credit_note_id        text COLLATE "C" PRIMARY KEY,
  stripe_credit_note_id text        NOT NULL,
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

/** The purchases page reads a few rows per table, by customer. */
export const createIndexes = (schema: string): string => `
CREATE INDEX ON ${schema}.customer (email);
CREATE INDEX ON ${schema}.customer (secondary_email) WHERE secondary_email IS NOT NULL;
CREATE INDEX ON ${schema}.subscription (user_id, started_at);
CREATE INDEX ON ${schema}.subscription (stripe_subscription_id);
CREATE INDEX ON ${schema}.charge (user_id, occurred_at DESC, charge_id DESC);
CREATE INDEX ON ${schema}.receipt (user_id);
CREATE INDEX ON ${schema}.change (user_id, requested_at DESC, change_id DESC);
CREATE INDEX ON ${schema}.refund (user_id, occurred_at DESC, refund_id DESC);
CREATE INDEX ON ${schema}.credit_note (user_id, occurred_at DESC, credit_note_id DESC);
CREATE INDEX ON ${schema}.dispute (user_id, occurred_at DESC, dispute_id DESC);
`
