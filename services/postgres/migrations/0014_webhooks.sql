-- Up Migration

-- The events of the payment provider that reached the product, and what each led to. No payload: the
-- provider keeps it, and it names persons. Rows older than 90 days are deleted.
CREATE TABLE app.webhook (
  event_ref          text COLLATE "C" PRIMARY KEY, -- the provider and its id
  type               text        NOT NULL,
  created            timestamptz NOT NULL, -- by the provider's clock
  api_version        text,
  customer_ref       text,                 -- NULL if the event's object names no customer
  source             text        NOT NULL, -- of the latest attempt: webhook, reconciler
  received_at        timestamptz NOT NULL, -- the first attempt, by real time
  handled_at         timestamptz NOT NULL, -- the latest attempt, by real time
  user_id            text,
  outcome            text        NOT NULL, -- of the latest attempt: synchronized, ignored, failed
  facts              integer     NOT NULL, -- events that the log received, by all attempts
  reason             text,                 -- why it was ignored, or why it failed
  attempts           integer     NOT NULL DEFAULT 1
);
CREATE INDEX ON app.webhook (received_at);
CREATE INDEX ON app.webhook (received_at) WHERE outcome = 'failed';

-- The reconciler's progress over the provider's events.
CREATE TABLE app.reconciler (
  only_row         boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
  since            timestamptz NOT NULL, -- by real time: the age until the first complete run
  cursor_at        timestamptz, -- by the provider's clock; NULL until the first run
  completed_at     timestamptz, -- the latest complete run, by real time
  full_started_at  timestamptz, -- the latest complete run over all customers: its start
  unlinked         integer     NOT NULL DEFAULT 0, -- objects at the provider without an account, by that run
  failure          text         -- why the latest run failed; NULL if it completed
);

-- The customers and events whose synchronization failed. Later runs retry them.
CREATE TABLE app.reconciler_failure (
  key             text COLLATE "C" PRIMARY KEY, -- a user id, or the ref of a customer or an event at the provider
  user_id         text,
  event_ref       text,
  changes_since   timestamptz,          -- the oldest event that reports a change, by the provider's clock
  failed_since    timestamptz NOT NULL,
  attempts        integer     NOT NULL DEFAULT 1,
  next_attempt_at timestamptz NOT NULL,
  reason          text        NOT NULL
);
