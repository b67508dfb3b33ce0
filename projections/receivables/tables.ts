/**
 * Clients and receivables, and sums of them. Days are texts `yyyy-mm-dd`. The indexes by client and
 * by receivable are needed while folding: an event of a client changes the rows of its receivables.
 */
export const createTables = (schema: string): string => `
CREATE TABLE ${schema}.client (
  client_id   text COLLATE "C" PRIMARY KEY,
  merchant_id text COLLATE "C" NOT NULL,
  name        text        NOT NULL,
  name_sort   text COLLATE "C" NOT NULL,
  number      text,
  email       text,
  phone       text,
  state_name  text,
  time_zone   text,
  may_text    boolean     NOT NULL,
  mail_bounced boolean    NOT NULL,
  text_bounced boolean    NOT NULL,
  is_held     boolean     NOT NULL,
  hold_until  text COLLATE "C",
  released_at timestamptz,
  is_erased   boolean     NOT NULL,
  is_withdrawn boolean    NOT NULL,
  credits     jsonb       NOT NULL,
  has_credit  boolean     NOT NULL,
  added_at    timestamptz NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  name_key    text COLLATE "C" NOT NULL, -- this and the following: what an import compares
  number_key  text COLLATE "C",
  email_key   text COLLATE "C"
);

CREATE TABLE ${schema}.receivable (
  receivable_id     text COLLATE "C" PRIMARY KEY,
  merchant_id       text COLLATE "C" NOT NULL,
  client_id         text COLLATE "C" NOT NULL,
  number            text        NOT NULL,
  number_sort       text COLLATE "C" NOT NULL,
  reference         text,
  dispute_text      text,
  currency          text COLLATE "C" NOT NULL,
  since             text COLLATE "C" NOT NULL,
  issue_date        text COLLATE "C",
  due_date          text COLLATE "C" NOT NULL,
  amount_minor      bigint      NOT NULL,
  open_minor        bigint      NOT NULL,
  state             text COLLATE "C" NOT NULL,
  promised_by       text COLLATE "C",
  is_held           boolean     NOT NULL,
  hold_until        text COLLATE "C",
  is_disputed       boolean     NOT NULL,
  has_agreement     boolean     NOT NULL,
  client_name       text        NOT NULL,
  client_sort       text COLLATE "C" NOT NULL,
  client_is_held    boolean     NOT NULL,
  client_hold_until text COLLATE "C",
  added_at          timestamptz NOT NULL,
  last_day          text COLLATE "C" NOT NULL,
  settled_on        text COLLATE "C", -- this and the following: NULL unless it counts in the days to pay
  days_to_pay       integer,
  paid_minor        bigint,
  search_text       text COLLATE "C" NOT NULL,
  search_grams      integer[]   NOT NULL, -- of the merchant and the text (search-grams.ts)
  history           jsonb       NOT NULL, -- ReceivableHistory
  reminder_times    jsonb       NOT NULL, -- ReminderTimes
  last_step         integer, -- the greatest offset of a step that ended, from reminded_step
  disputed_by       text COLLATE "C" -- merchant, client, bank. NULL: it is not disputed
);
CREATE INDEX ON ${schema}.receivable (client_id, state, due_date) INCLUDE (currency, open_minor);
-- With statistics the planner reads whole tables for texts that many invoices have.
ALTER TABLE ${schema}.receivable ALTER COLUMN search_grams SET STATISTICS 0;

-- One row per event that changes what is open, or that is money.
CREATE TABLE ${schema}.movement (
  number        bigint PRIMARY KEY, -- of the event in the log
  event_id      text        NOT NULL,
  type          text COLLATE "C" NOT NULL,
  merchant_id   text COLLATE "C" NOT NULL,
  client_id     text COLLATE "C" NOT NULL,
  receivable_id text COLLATE "C" NOT NULL,
  currency      text COLLATE "C" NOT NULL,
  day           text COLLATE "C" NOT NULL,
  amount_minor  bigint      NOT NULL,
  money_minor   bigint      NOT NULL,
  payment_id    text,
  method        text,
  is_reversed   boolean     NOT NULL,
  recorded_at   timestamptz NOT NULL,
  invoiced_minor bigint     NOT NULL -- the change of what was invoiced, for the DSO
);

-- From a day on, invoices with a due date have this much more open. The sum over day <= D is the aging of D.
CREATE TABLE ${schema}.due_day (
  merchant_id text COLLATE "C" NOT NULL,
  currency    text COLLATE "C" NOT NULL,
  due_date    text COLLATE "C" NOT NULL,
  day         text COLLATE "C" NOT NULL,
  amount      bigint NOT NULL,
  count       bigint NOT NULL,
  PRIMARY KEY (merchant_id, currency, due_date, day)
);

-- The sum of due_day over all days: a merchant with 100,000 invoices has hundreds of rows here.
CREATE TABLE ${schema}.due_sum (
  merchant_id text COLLATE "C" NOT NULL,
  currency    text COLLATE "C" NOT NULL,
  due_date    text COLLATE "C" NOT NULL,
  amount      bigint NOT NULL,
  count       bigint NOT NULL,
  PRIMARY KEY (merchant_id, currency, due_date)
);

CREATE TABLE ${schema}.day_sum (
  merchant_id   text COLLATE "C" NOT NULL,
  currency      text COLLATE "C" NOT NULL,
  day           text COLLATE "C" NOT NULL,
  collected     bigint  NOT NULL,
  payments      bigint  NOT NULL,
  settled       bigint  NOT NULL, -- invoices paid in full on the day
  weight        bigint  NOT NULL, -- what was paid of them
  weighted_days numeric NOT NULL,
  PRIMARY KEY (merchant_id, currency, day)
);

-- From a day on, this much more was invoiced of a month. The sum over day <= D is that of D.
CREATE TABLE ${schema}.invoiced_month (
  merchant_id text COLLATE "C" NOT NULL,
  currency    text COLLATE "C" NOT NULL,
  month       text COLLATE "C" NOT NULL, -- of the first day of the invoices: yyyy-mm
  day         text COLLATE "C" NOT NULL,
  amount      bigint NOT NULL,
  PRIMARY KEY (merchant_id, currency, month, day)
);

-- A promise of a client to pay a receivable by a day. A changed promise counts once.
CREATE TABLE ${schema}.promise (
  receivable_id text COLLATE "C" NOT NULL,
  place         integer     NOT NULL, -- 0 is the receivable's first promise
  merchant_id   text COLLATE "C" NOT NULL,
  client_id     text COLLATE "C" NOT NULL,
  currency      text COLLATE "C" NOT NULL,
  day           text COLLATE "C" NOT NULL,
  is_kept       boolean,              -- NULL: nothing was left to pay, so that it counts nowhere
  left_minor    bigint      NOT NULL, -- at the end of the day
  last_paid     text COLLATE "C",     -- the day of the last payment up to that day
  event_id      text        NOT NULL, -- of the last PaymentPromised
  recorded_at   timestamptz NOT NULL,
  PRIMARY KEY (receivable_id, place)
);

-- The number of receivables by state. Without a currency: of clients (state client), and of clients
-- with an open receivable (state owing-client).
CREATE TABLE ${schema}.merchant_count (
  merchant_id text COLLATE "C" NOT NULL,
  currency    text COLLATE "C" NOT NULL,
  state       text COLLATE "C" NOT NULL,
  value       bigint NOT NULL,
  PRIMARY KEY (merchant_id, currency, state)
);

-- What a client owes now. Computed from its open receivables with each change of one.
CREATE TABLE ${schema}.client_standing (
  client_id   text COLLATE "C" PRIMARY KEY,
  merchant_id text COLLATE "C" NOT NULL,
  open_count  bigint NOT NULL,
  oldest_due  text COLLATE "C", -- of an open invoice
  open        jsonb  NOT NULL   -- by currency, in minor units
);

-- A message to a client. Its words and its address are in the log only.
CREATE TABLE ${schema}.message (
  message_id  text COLLATE "C" PRIMARY KEY,
  merchant_id text COLLATE "C" NOT NULL,
  client_id   text COLLATE "C" NOT NULL,
  day         text COLLATE "C" NOT NULL, -- of the client
  cause       text COLLATE "C" NOT NULL,
  channel     text COLLATE "C" NOT NULL,
  tone        text COLLATE "C" NOT NULL,
  state       text COLLATE "C" NOT NULL, -- due, sent, not-sent, unknown, returned
  why         text COLLATE "C",          -- it was not sent
  due_at      timestamptz NOT NULL,
  ended_at    timestamptz,               -- NULL while it is due
  receivable_ids text[]   NOT NULL,      -- what it was about
  steps       jsonb       NOT NULL,
  replaced    jsonb       NOT NULL,
  needs_you   boolean     NOT NULL       -- its outcome is unknown, and no later one went out
);
CREATE INDEX ON ${schema}.message (client_id) WHERE needs_you;

-- A step of a receivable that ended, or one of its repetitions.
CREATE TABLE ${schema}.reminded_step (
  receivable_id text COLLATE "C" NOT NULL,
  step_id       text COLLATE "C" NOT NULL,
  repetition    integer     NOT NULL,
  merchant_id   text COLLATE "C" NOT NULL,
  client_id     text COLLATE "C" NOT NULL,
  offset_days   integer     NOT NULL,
  channel       text COLLATE "C" NOT NULL, -- this and the following: as the schedule had them
  tone          text COLLATE "C" NOT NULL,
  due_day       text COLLATE "C" NOT NULL,
  outcome       text COLLATE "C" NOT NULL, -- sent, skipped, replaced
  day           text COLLATE "C" NOT NULL, -- of the client, on which it ended
  message_id    text COLLATE "C",
  delays        jsonb       NOT NULL,
  skip          jsonb,
  ended_at      timestamptz NOT NULL,
  currency      text COLLATE "C", -- this and the following: of the receivable (reminder-effects.ts)
  paid_day      text COLLATE "C", -- of the first payment within 3 days. NULL: none came
  PRIMARY KEY (receivable_id, step_id, repetition)
);

CREATE INDEX ON ${schema}.reminded_step (message_id) WHERE outcome = 'sent';

-- The messages that went out on a day of the client about invoices of a currency, by the day of the first
-- payment that followed within 3 days. Empty: none came.
CREATE TABLE ${schema}.reminder_sum (
  merchant_id text COLLATE "C" NOT NULL,
  currency    text COLLATE "C" NOT NULL,
  day         text COLLATE "C" NOT NULL,
  paid_day    text COLLATE "C" NOT NULL,
  messages    bigint NOT NULL,
  PRIMARY KEY (merchant_id, currency, day, paid_day)
);

-- A checkout of a client in the portal, and what became of its payment and of its fee.
CREATE TABLE ${schema}.client_checkout (
  checkout_id  text COLLATE "C" PRIMARY KEY,
  merchant_id  text COLLATE "C" NOT NULL,
  client_id    text COLLATE "C" NOT NULL,
  account_ref  text COLLATE "C" NOT NULL, -- the merchant's account at the payment provider
  currency     text COLLATE "C" NOT NULL,
  standing     text COLLATE "C" NOT NULL, -- under-way, closed, paid
  amount_minor bigint      NOT NULL,
  invoices     integer     NOT NULL,
  receivable_ids text[]    NOT NULL,
  submitted_at timestamptz,               -- a bank debit: the money needs days
  settled_at   timestamptz,               -- it arrived or failed. NULL: it is on its way
  paid_at      timestamptz,               -- NULL until it is paid
  day          text COLLATE "C",          -- of the merchant, on which it was paid
  means        text,                      -- such as Visa ending 4242
  back_minor   bigint      NOT NULL,      -- refunded, or charged back
  fee_minor    bigint      NOT NULL,
  fee_returned_minor bigint NOT NULL
);
`

/** SQL: the due date was changed, so an earlier day can have another one. */
export const hasOtherDues = (of = ''): string => `(jsonb_array_length(${of}history -> 'dues') > 1)`

const ofState = (...columns: readonly string[]) =>
  `(merchant_id, state, ${columns.join(', ')}, receivable_id)`

/** An order of the list per index; then what the overview, the clients and the statements read. */
export const createIndexes = (schema: string): string => `
CREATE INDEX ON ${schema}.receivable ${ofState('due_date')};
CREATE INDEX ON ${schema}.receivable ${ofState('number_sort')};
CREATE INDEX ON ${schema}.receivable ${ofState('client_sort', 'due_date')};
CREATE INDEX ON ${schema}.receivable ${ofState('since')};
CREATE INDEX ON ${schema}.receivable ${ofState('open_minor')};
CREATE INDEX ON ${schema}.receivable (merchant_id, due_date, last_day) WHERE state <> 'open';
CREATE INDEX ON ${schema}.receivable (merchant_id, due_date) WHERE ${hasOtherDues()};
CREATE INDEX ON ${schema}.receivable (merchant_id, due_date)
  INCLUDE (has_agreement, currency, open_minor, promised_by, is_disputed, is_held, hold_until, client_is_held, client_hold_until)
  WHERE has_agreement;
CREATE INDEX ON ${schema}.receivable (merchant_id, currency, settled_on) WHERE settled_on IS NOT NULL;
CREATE INDEX ON ${schema}.receivable USING gin (search_grams);
CREATE INDEX ON ${schema}.client (merchant_id, name_sort, client_id);
CREATE INDEX ON ${schema}.client (merchant_id, name_key);
CREATE INDEX ON ${schema}.client (merchant_id, number_key) WHERE number_key IS NOT NULL;
CREATE INDEX ON ${schema}.client (merchant_id, email_key) WHERE email_key IS NOT NULL;
CREATE INDEX ON ${schema}.client (merchant_id) WHERE has_credit;
CREATE INDEX ON ${schema}.client_standing (merchant_id, oldest_due, client_id) INCLUDE (open_count);
CREATE INDEX ON ${schema}.client (merchant_id) WHERE mail_bounced OR text_bounced;
CREATE INDEX ON ${schema}.receivable (merchant_id, due_date)
  INCLUDE (last_step, currency, open_minor, client_id, added_at)
  WHERE state = 'open' AND NOT has_agreement AND last_step IS NOT NULL;
CREATE INDEX ON ${schema}.message (client_id, day);
CREATE INDEX ON ${schema}.message (merchant_id, day);
CREATE INDEX ON ${schema}.message (merchant_id) WHERE needs_you;
CREATE INDEX ON ${schema}.reminded_step (merchant_id, day)
  INCLUDE (currency, step_id, message_id, paid_day) WHERE outcome = 'sent';
CREATE INDEX ON ${schema}.reminded_step (client_id, day) WHERE outcome = 'sent';
CREATE INDEX ON ${schema}.promise (merchant_id, currency, day) INCLUDE (is_kept);
CREATE INDEX ON ${schema}.promise (client_id, day);
CREATE INDEX ON ${schema}.receivable (merchant_id, currency, since, receivable_id) INCLUDE (state);
CREATE INDEX ON ${schema}.client_checkout (client_id) WHERE submitted_at IS NOT NULL;
CREATE INDEX ON ${schema}.client_checkout (merchant_id) WHERE standing = 'under-way';
CREATE INDEX ON ${schema}.client_checkout (merchant_id, paid_at DESC, checkout_id DESC) WHERE standing = 'paid';
CREATE INDEX ON ${schema}.movement (receivable_id, number);
CREATE INDEX ON ${schema}.movement (client_id, day, number);
CREATE INDEX ON ${schema}.movement (merchant_id, day DESC, number DESC) WHERE type = 'PaymentRecorded' AND NOT is_reversed;
CREATE INDEX ON ${schema}.movement (merchant_id, currency, day DESC, number DESC) INCLUDE (money_minor) WHERE money_minor <> 0;
`
