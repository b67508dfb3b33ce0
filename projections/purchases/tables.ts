/** Customers, subscriptions, charges and subscription changes. */
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
  ended_at                timestamptz
);

-- Every attempt to collect an invoice: any number of failed attempts, and at most one successful attempt,
-- the payment.
CREATE TABLE ${schema}.charge (
  charge_id                text COLLATE "C" PRIMARY KEY,
  user_id                  text COLLATE "C" NOT NULL,
  payment_id               text        NOT NULL,
  invoice_id               text        NOT NULL,
  stripe_payment_intent_id text,
  subscription_id          text,
  status                   text        NOT NULL, -- paid, failed
  amount_minor             bigint      NOT NULL,
  currency                 text        NOT NULL,
  plan_id                  text,
  plan_name                text,
  payment_method           text        NOT NULL,
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
`

/** The purchases page reads a few rows per table, by customer. */
export const createIndexes = (schema: string): string => `
CREATE INDEX ON ${schema}.customer (email);
CREATE INDEX ON ${schema}.customer (secondary_email) WHERE secondary_email IS NOT NULL;
CREATE INDEX ON ${schema}.subscription (user_id, started_at);
CREATE INDEX ON ${schema}.charge (user_id, occurred_at DESC, charge_id DESC);
CREATE INDEX ON ${schema}.change (user_id, requested_at DESC, change_id DESC);
`
