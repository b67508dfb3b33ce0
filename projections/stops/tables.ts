/** One row per address or number that ever stopped messages, by its HMAC. */
export const createTables = (schema: string): string => `
CREATE TABLE ${schema}.stop (
  stop_id text COLLATE "C" PRIMARY KEY,
  via     text COLLATE "C" -- how it was stopped; NULL after it was allowed again
);
`

export const createIndexes = (): string => ''
