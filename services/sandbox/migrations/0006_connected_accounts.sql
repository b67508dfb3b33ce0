-- Up Migration

-- The connected account that an object belongs to; '' is the platform. Objects of one account are
-- invisible to the others.
ALTER TABLE sandbox.object ADD COLUMN account text NOT NULL DEFAULT '';
DROP INDEX sandbox.object_by_kind;
CREATE INDEX object_by_kind ON sandbox.object (account, kind, seq);

-- A checkout has one line or more.
UPDATE sandbox.object
SET data = data || jsonb_build_object('sandbox', (data -> 'sandbox') - 'lineItem'
    || jsonb_build_object('lineItems', jsonb_build_array(data #> '{sandbox,lineItem}')))
WHERE kind = 'checkout.session';

-- An idempotency key counts per account.
ALTER TABLE sandbox.idempotent_answer
  ADD COLUMN account text NOT NULL DEFAULT '',
  DROP CONSTRAINT idempotent_answer_pkey,
  ADD PRIMARY KEY (account, key);

-- Links to the onboarding page. Times are the sandbox's clock in seconds. The first visit uses the
-- link and gets an address of its own.
CREATE TABLE sandbox.account_link (
  token text PRIMARY KEY,
  account text NOT NULL,
  refresh_url text NOT NULL,
  return_url text NOT NULL,
  expires_at bigint NOT NULL,
  visit text UNIQUE
);

-- Down Migration
DROP TABLE sandbox.account_link;
DELETE FROM sandbox.idempotent_answer WHERE account <> '';
ALTER TABLE sandbox.idempotent_answer
  DROP CONSTRAINT idempotent_answer_pkey,
  DROP COLUMN account,
  ADD PRIMARY KEY (key);
UPDATE sandbox.object
SET data = data || jsonb_build_object('sandbox', (data -> 'sandbox') - 'lineItems'
    || jsonb_build_object('lineItem', data #> '{sandbox,lineItems,0}'))
WHERE kind = 'checkout.session';
DELETE FROM sandbox.delivery
  WHERE event_id IN (SELECT id FROM sandbox.object WHERE account <> '' AND kind = 'event');
DELETE FROM sandbox.object WHERE account <> '' OR kind IN ('account', 'application_fee', 'fee_refund');
DROP INDEX sandbox.object_by_kind;
ALTER TABLE sandbox.object DROP COLUMN account;
CREATE INDEX object_by_kind ON sandbox.object (kind, seq);
