-- Up Migration

-- Whether all places of the day were taken at some time. A place that is given back later does not change why others waited.
ALTER TABLE app.merchant_day ADD COLUMN was_full boolean NOT NULL DEFAULT false;
