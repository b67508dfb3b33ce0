-- Up Migration

-- When to look after the messages to a client of a merchant. Each client that ever had an invoice has a row. `due_at` is a time of
-- the business clock; NULL: nothing is to come. The log decides what is due; a look too early changes nothing. `version` counts the
-- events that moved it: a look that began before one of them does not put it off.
CREATE TABLE app.client_appointment (
  client_id       text        PRIMARY KEY,
  merchant_id     text        NOT NULL,
  due_at          timestamptz,
  version         integer     NOT NULL DEFAULT 0,
  attempts        integer     NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  last_error      text
);
CREATE INDEX client_appointment_due ON app.client_appointment (due_at);
CREATE INDEX client_appointment_merchant ON app.client_appointment (merchant_id, due_at);

-- Who looks after a client holds the lock of its row here, also while a message is sent. New appointments do not wait for it.
CREATE TABLE app.client_turn (
  client_id text PRIMARY KEY
);

-- The invoices of a client. `may_be_owed` is false once the sender found nothing open; an event of the invoice makes it true again.
CREATE TABLE app.client_receivable (
  client_id     text    NOT NULL,
  receivable_id text    NOT NULL,
  may_be_owed   boolean NOT NULL DEFAULT true,
  PRIMARY KEY (client_id, receivable_id)
);

-- How many clients a merchant has messaged on one of its days.
CREATE TABLE app.merchant_day (
  merchant_id text    NOT NULL,
  day         date    NOT NULL,
  clients     integer NOT NULL,
  PRIMARY KEY (merchant_id, day)
);
