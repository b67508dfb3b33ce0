/**
 * One row per event of the log, without personal data. `subject` is the user whom the event is
 * about. NULL: the event is about no user. `admin_id` is the administrator who acted. The log's
 * position is no column: it changes when the log is moved.
 */
export const createTables = (schema: string): string => `
CREATE TABLE ${schema}.event (
  stream      text COLLATE "C" NOT NULL,
  revision    integer          NOT NULL,
  type        text COLLATE "C" NOT NULL,
  subject     text COLLATE "C",
  actor_kind  text COLLATE "C" NOT NULL,
  admin_id    text COLLATE "C",
  occurred_at timestamptz      NOT NULL,
  recorded_at timestamptz      NOT NULL,
  PRIMARY KEY (stream, revision)
);
`

/**
 * The order of a timeline, newest last. It is total, and within a stream it is the order of the
 * revisions, unless a later event reports an earlier fact.
 */
export const timelineColumns = ['occurred_at', 'recorded_at', 'revision', 'stream'] as const

const timeline = timelineColumns.join(', ')

/**
 * By subject, by type, what administrators did, and what one administrator did: each in the order
 * of a timeline.
 */
export const createIndexes = (schema: string): string => `
CREATE INDEX ON ${schema}.event (subject, ${timeline}) INCLUDE (type, actor_kind, admin_id) WHERE subject IS NOT NULL;
CREATE INDEX ON ${schema}.event (type, ${timeline});
CREATE INDEX ON ${schema}.event (${timeline}) INCLUDE (type) WHERE actor_kind = 'admin';
CREATE INDEX ON ${schema}.event (admin_id, ${timeline}) INCLUDE (type) WHERE admin_id IS NOT NULL;
`
