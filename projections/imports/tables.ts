/** One row per import. Its rows are in its stream, which the page of an import reads. */
export const createTables = (schema: string): string => `
CREATE TABLE ${schema}.import (
  import_id   text COLLATE "C" PRIMARY KEY,
  merchant_id text COLLATE "C" NOT NULL,
  file_name   text        NOT NULL,
  size        bigint      NOT NULL, -- bytes
  sha256      text        NOT NULL,
  rows        integer     NOT NULL,
  standing    text COLLATE "C" NOT NULL,
  added       integer     NOT NULL, -- this and the following: stored rows by outcome
  changed     integer     NOT NULL,
  unchanged   integer     NOT NULL,
  refused     integer     NOT NULL,
  missing     integer     NOT NULL,
  started_at  timestamptz NOT NULL,
  started_by  text COLLATE "C" NOT NULL
);
CREATE INDEX ON ${schema}.import (merchant_id);
`

export const createIndexes = (schema: string): string =>
  `CREATE INDEX ON ${schema}.import (merchant_id, started_at DESC, import_id);`
