-- Up Migration

-- The events of each closed month. They name the first event that differs from the close. The root in the event MonthClosed
-- protects the rows (docs/decisions/0028-closing-months.md).
CREATE TABLE app.closed_event (
  month    text COLLATE "C" NOT NULL,
  -- From 0, in the order of the log.
  index    integer          NOT NULL CHECK (index >= 0),
  event_id text             NOT NULL,
  -- SHA-256 of the stored event, in lower-case hex.
  hash     text             NOT NULL,
  PRIMARY KEY (month, index)
);
