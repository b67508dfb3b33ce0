-- Up Migration

-- The outcome of a delivery without a further attempt is 'failed'. Migration 0001 has another word for it.
ALTER TABLE sandbox.delivery DROP CONSTRAINT delivery_outcome_check;
UPDATE sandbox.delivery SET outcome = 'failed' WHERE outcome = 'given up';
ALTER TABLE sandbox.delivery
  ADD CONSTRAINT delivery_outcome_check CHECK (outcome IN ('pending', 'delivered', 'dropped', 'failed'));

-- Down Migration
ALTER TABLE sandbox.delivery DROP CONSTRAINT delivery_outcome_check;
UPDATE sandbox.delivery SET outcome = 'given up' WHERE outcome = 'failed';
ALTER TABLE sandbox.delivery
  ADD CONSTRAINT delivery_outcome_check CHECK (outcome IN ('pending', 'delivered', 'dropped', 'given up'));
