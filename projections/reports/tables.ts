/**
 * The sums behind the figures, the effects behind the sums, and the state that folding needs. JSON
 * is stored as text: it is parsed when it is read, and no query looks into it. Days and months are
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
  occurred_on    text    NOT NULL,
  date           text COLLATE "C" NOT NULL, -- the accounting date
  closed_through text,
  until          text COLLATE "C" NOT NULL, -- the last day with an entry
  is_earning     boolean NOT NULL,          -- defers or recognizes revenue
  body           text    NOT NULL
);

-- The bookings with an entry in a month are between these.
CREATE TABLE ${schema}.booking_month (
  month     text COLLATE "C" PRIMARY KEY,
  first_seq bigint NOT NULL,
  last_seq  bigint NOT NULL
);

-- Where each event with facts is in the log. The stream of a fee is that of the client.
CREATE TABLE ${schema}.place (
  seq      bigint  PRIMARY KEY,
  stream   text    NOT NULL,
  revision integer NOT NULL
);

-- The events behind a figure, and what each adds: never 0. "group" are the columns that identify the row, without the month.
-- What recognition moves has no rows here: bookings list its events.
CREATE TABLE ${schema}.figure_event (
  report  text COLLATE "C",
  figure  text COLLATE "C",
  "group" text COLLATE "C",
  month   text COLLATE "C", -- in which it counts
  seq     bigint,
  day     text COLLATE "C" NOT NULL,
  amount  bigint NOT NULL,
  PRIMARY KEY (report, figure, "group", month, seq)
);

-- How many events are behind a figure by day, and what they add without recognition. The count of what recognition moves can fall.
CREATE TABLE ${schema}.figure_day (
  report  text COLLATE "C",
  figure  text COLLATE "C",
  "group" text COLLATE "C",
  month   text COLLATE "C",
  day     text COLLATE "C",
  events  bigint NOT NULL,
  amount  bigint NOT NULL,
  PRIMARY KEY (report, figure, "group", month, day)
);

-- How many events recognize revenue from a month to a day: the sum over this and all earlier months ('' first) and days.
CREATE TABLE ${schema}.recognized_count (
  currency   text COLLATE "C",
  from_month text COLLATE "C",
  day        text COLLATE "C",
  events     bigint NOT NULL,
  PRIMARY KEY (currency, from_month, day)
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
CREATE INDEX ON ${schema}.booking (seq, date, until);
CREATE INDEX ON ${schema}.booking (seq, date, until) WHERE is_earning;
CREATE INDEX ON ${schema}.booking (seq) WHERE closed_through IS NOT NULL;
CREATE INDEX ON ${schema}.booking USING hash (event_id);
`
