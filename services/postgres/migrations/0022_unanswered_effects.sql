-- Up Migration

-- Attempts after which the other system gave no answer, so that it may have performed the effect. One of them is repeated.
ALTER TABLE app.outbox ADD COLUMN unanswered integer NOT NULL DEFAULT 0;
