/** One row per user, including plans and spending, so that a page of users needs one query. */
export const createTables = (schema: string): string => `
CREATE TABLE ${schema}.users (
  user_id                 text COLLATE "C" PRIMARY KEY,
  email                   text COLLATE "C" NOT NULL,
  secondary_email         text,
  is_primary_email_active boolean     NOT NULL,
  blocked                 boolean     NOT NULL,
  user_type               smallint    NOT NULL,
  created_at              timestamptz NOT NULL,
  full_name               text,
  company_name            text,
  domain                  text,
  website_url             text,
  address                 text,
  city                    text,
  state                   text,
  zipcode                 text,
  support_email           text,
  support_phone           text,
  plans                   jsonb       NOT NULL, -- Plan[]
  spending                jsonb       NOT NULL, -- {currency: {paid, refunded}} in minor units

  -- Computed from the columns above, for sorting and searching.
  expirations             timestamptz[] NOT NULL, -- of the plans, latest first
  latest_expiration       timestamptz,
  second_expiration       timestamptz,
  spent_currency          text        NOT NULL,
  spent_minor             bigint      NOT NULL,
  spent_thousandths       bigint      NOT NULL, -- of a major unit: comparable between currencies of 0, 2 and 3 decimals
  search_text             text COLLATE "C" NOT NULL
);

-- Sums over all users, updated with the rows: the dashboard does not count the users.
CREATE TABLE ${schema}.counter (
  name   text   NOT NULL,
  bucket text   NOT NULL,
  value  bigint NOT NULL,
  PRIMARY KEY (name, bucket)
);
`

/**
 * Each sort key has an index that ends in the user id, so both directions have a stable order. The indexes
 * include the filter columns, so that an index-only scan can filter.
 */
export const createIndexes = (schema: string): string => `
CREATE INDEX ON ${schema}.users (created_at, user_id) INCLUDE (search_text, blocked, user_type);
CREATE INDEX ON ${schema}.users (email, user_id) INCLUDE (search_text, blocked, user_type);
CREATE INDEX ON ${schema}.users (blocked, created_at, user_id) INCLUDE (search_text, user_type);
CREATE INDEX ON ${schema}.users (spent_thousandths, user_id) INCLUDE (search_text, blocked, user_type);
CREATE INDEX ON ${schema}.users (latest_expiration DESC NULLS LAST, user_id DESC) INCLUDE (second_expiration, search_text, blocked, user_type);
CREATE INDEX ON ${schema}.users (second_expiration) WHERE second_expiration IS NOT NULL;
CREATE INDEX ON ${schema}.users (user_type, blocked);
CREATE INDEX ON ${schema}.users USING gin (search_text gin_trgm_ops);
`
