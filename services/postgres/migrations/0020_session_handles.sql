-- Up Migration

-- Names a session in the customer's list of sessions. Sessions of before this release get one too.
UPDATE app.customer_session
SET sess = jsonb_set(sess::jsonb, '{handle}', to_jsonb(gen_random_uuid()))::json
WHERE sess->>'subject' IS NOT NULL;

-- To list and to end the sessions of one customer.
CREATE INDEX customer_session_subject ON app.customer_session ((sess->>'subject'));
