/**
 * The sums behind the figures, the facts behind the sums, and the state that folding needs. JSON is
 * stored as text: it is parsed when it is read, and no query looks into it. Days and months are
 * texts that sort in the order of time. Amounts are minor units. `seq` is the number of an event in
 * the log.
 */
export const createTables = (schema: string): string => `
-- One row: what folding knows of the log so far.
CREATE TABLE ${schema}.progress (
  id             integer PRIMARY KEY,
  time_zone      text    NOT NULL, -- in which the days of all rows are
  foreign_close  boolean NOT NULL, -- a month was closed in another time zone
  first_month    text,             -- of the first event that a report reads
  first_seq      bigint,           -- the number of this event
  last_seq       bigint  NOT NULL  -- the highest number of an event with facts; 0 without one
);

-- The closes in this time zone. A close changes the accounting dates of the events after it.
CREATE TABLE ${schema}.closed_month (
  seq   bigint PRIMARY KEY, -- of the close
  month text   NOT NULL
);

-- What the rules of finance remember of a customer, without the payments.
CREATE TABLE ${schema}.customer (
  user_id text COLLATE "C" PRIMARY KEY,
  state   text NOT NULL
);

-- The books of one payment. '' is what names no payment.
CREATE TABLE ${schema}.book (
  user_id    text COLLATE "C",
  payment_id text COLLATE "C",
  books      text NOT NULL,
  PRIMARY KEY (user_id, payment_id)
);

-- What an event books: its entries, and its schedule of recognition.
CREATE TABLE ${schema}.booking (
  seq            bigint  PRIMARY KEY,
  event_id       text    NOT NULL,
  user_id        text    NOT NULL,
  stream         text    NOT NULL, -- of the event: the user's billing stream; of a fee, that of the client
  revision       integer NOT NULL, -- in the stream
  occurred_on    text    NOT NULL,
  date           text COLLATE "C" NOT NULL, -- the accounting date
  closed_through text,
  until          text COLLATE "C" NOT NULL, -- the last day with an entry
  is_rare        boolean NOT NULL,          -- money given back, or a customer's balance
  body           text    NOT NULL
);

-- The bookings with an entry in a month are between these.
CREATE TABLE ${schema}.booking_month (
  month     text COLLATE "C" PRIMARY KEY,
  first_seq bigint NOT NULL,
  last_seq  bigint NOT NULL
);

-- What an event adds to a figure, without that of bookings. "group" are the columns that identify the row, without the month.
CREATE TABLE ${schema}.contribution (
  report   text COLLATE "C" NOT NULL,
  "group"  text COLLATE "C" NOT NULL,
  figure   text COLLATE "C" NOT NULL,
  month    text COLLATE "C" NOT NULL,
  seq      bigint  NOT NULL,
  ordinal  integer NOT NULL,
  event_id text    NOT NULL,
  user_id  text    NOT NULL,
  revision integer NOT NULL, -- in the billing stream of the user
  day      text COLLATE "C" NOT NULL,
  amount   bigint  NOT NULL,
  PRIMARY KEY (seq, ordinal)
);

-- The sums of the contributions by month and by day, without recognition. "row" are the columns that identify the row.
CREATE TABLE ${schema}.month_sum (
  report text COLLATE "C",
  period text COLLATE "C",
  "row"  text COLLATE "C",
  figure text COLLATE "C",
  amount bigint NOT NULL,
  PRIMARY KEY (report, period, "row", figure)
);
CREATE TABLE ${schema}.day_sum (
  report text COLLATE "C",
  period text COLLATE "C",
  "row"  text COLLATE "C",
  figure text COLLATE "C",
  amount bigint NOT NULL,
  PRIMARY KEY (report, period, "row", figure)
);

-- Recognized revenue as of each day of the month: two lists by the number of the day less 1.
CREATE TABLE ${schema}.recognition (
  currency text COLLATE "C",
  month    text COLLATE "C",
  amounts  text NOT NULL,
  entries  text NOT NULL,
  PRIMARY KEY (currency, month)
);
`

export const createIndexes = (schema: string): string => `
CREATE INDEX ON ${schema}.booking (date, seq);
CREATE INDEX ON ${schema}.booking (seq) INCLUDE (date, until);
CREATE INDEX ON ${schema}.booking (seq) WHERE is_rare;
CREATE INDEX ON ${schema}.booking (seq) WHERE closed_through IS NOT NULL;
CREATE INDEX ON ${schema}.booking USING hash (event_id);
CREATE INDEX ON ${schema}.contribution (report, "group", month, seq, ordinal) INCLUDE (figure);
`
