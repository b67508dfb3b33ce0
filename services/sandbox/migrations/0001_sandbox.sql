-- Up Migration

-- The sandbox's one clock and its faults: one row.
CREATE TABLE sandbox.settings (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  clock_offset_ms bigint NOT NULL DEFAULT 0,
  latest_ms bigint NOT NULL DEFAULT 0,
  faults jsonb NOT NULL DEFAULT '{}'
);
INSERT INTO sandbox.settings DEFAULT VALUES;

-- Every Stripe object in the form of the API, with unexpanded references. `seq` is the order of creation.
-- `due_at` (seconds) is the time at which the object changes without a call.
CREATE TABLE sandbox.object (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  kind text NOT NULL,
  data jsonb NOT NULL,
  due_at bigint
);
CREATE INDEX object_by_kind ON sandbox.object (kind, seq);
CREATE INDEX object_by_customer ON sandbox.object ((data ->> 'customer'), kind, seq);
CREATE INDEX object_by_due ON sandbox.object (due_at, seq) WHERE due_at IS NOT NULL;

-- Webhooks to deliver. A row without `next_attempt_at` needs no further attempt; `outcome` is its result.
CREATE TABLE sandbox.delivery (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  first_due_at timestamptz NOT NULL,
  next_attempt_at timestamptz,
  outcome text NOT NULL DEFAULT 'pending' CHECK (outcome IN ('pending', 'delivered', 'dropped', 'given up')),
  last_failure text
);
CREATE INDEX delivery_owed ON sandbox.delivery (next_attempt_at, id) WHERE next_attempt_at IS NOT NULL;

-- The answers to requests with an idempotency key.
CREATE TABLE sandbox.idempotent_answer (
  key text PRIMARY KEY,
  request_hash text NOT NULL,
  status integer NOT NULL,
  body jsonb NOT NULL,
  answered_at timestamptz NOT NULL DEFAULT now()
);

-- The inbox: one row per recipient.
CREATE TABLE sandbox.message (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  channel text NOT NULL CHECK (channel IN ('email', 'sms')),
  recipient text NOT NULL,
  sender text NOT NULL,
  subject text,
  body_text text,
  body_html text,
  sent_at timestamptz NOT NULL
);
CREATE INDEX message_by_recipient ON sandbox.message (lower(recipient), seq);

-- Down Migration
DROP TABLE sandbox.message, sandbox.idempotent_answer, sandbox.delivery, sandbox.object, sandbox.settings;
