import { createCounters } from '#projections/listing/counters'
import { listIndexes } from '#projections/listing/list-indexes'
import { enquiriesTable } from './enquiry.ts'

export const createTables = (schema: string): string => `${createCounters(schema)}
CREATE TABLE ${schema}.enquiries (
  enquiry_id   text COLLATE "C" PRIMARY KEY,
  first_name   text        NOT NULL,
  last_name    text        NOT NULL,
  email        text COLLATE "C" NOT NULL,
  phone_number text        NOT NULL,
  message      text        NOT NULL,
  goals        text        NOT NULL,
  status       text COLLATE "C" NOT NULL,
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL,
  class        text        NOT NULL, -- rowClass: status
  search_text  text COLLATE "C" NOT NULL
);
`

/** Each sort key has the index of its order. */
export const createIndexes = (schema: string): string => listIndexes(schema, enquiriesTable)
