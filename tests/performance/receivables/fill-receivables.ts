import type pg from 'pg'
import { schemaOf } from '#projections/engine/read-model'
import { receivables } from '#projections/receivables/read-model'
import { searchGrams } from '#projections/receivables/search-grams'

const schema = schemaOf(receivables)

/** The day on which all figures are measured. */
export const today = '2026-11-25'

export const merchantOf = (index: number): string => `usr_${String(index).padStart(24, '0')}`
/** A client of the merchant. */
export const clientOf = (merchantId: string): string =>
  `client_${String(Number(merchantId.slice(4)) * 100_000 + 7).padStart(32, '0')}`
export const largestMerchant = merchantOf(999_999)

/**
 * Fills the tables of the read model with `open` open invoices of merchants with 1,000 open ones
 * each, and one merchant with `ofLargest`. A client has 10 open invoices. Each fourth invoice is
 * paid in part, and each merchant has as many paid invoices again, of the two years before.
 */
export async function fillReceivables(
  pool: pg.Pool,
  open: number,
  ofLargest = 100_000,
): Promise<void> {
  await pool.query(`CREATE SCHEMA ${schema}; ${receivables.createTables(schema)}`)
  const merchants = Math.max(1, Math.round(open / 1_000))
  for (let from = 0; from < merchants; from += 50)
    await addMerchants(pool, from, Math.min(merchants, from + 50) - 1, 1_000)
  await addMerchants(pool, 999_999, 999_999, ofLargest)
  await addSums(pool)
  await pool.query(receivables.createIndexes(schema))
  await pool.query('VACUUM ANALYZE')
}

/** Invoice `i` of a merchant: i below `each` is open, the others are paid. */
async function addMerchants(pool: pg.Pool, from: number, to: number, each: number): Promise<void> {
  await pool.query(
    `CREATE TEMP TABLE made AS
     SELECT m, i, 'usr_' || lpad(m::text, 24, '0') AS merchant,
       'client_' || lpad((m::bigint * 100000 + i % ($3 / 10))::text, 32, '0') AS client,
       'receivable_' || lpad(m::text, 12, '0') || '-' || lpad(i::text, 12, '0') AS id,
       (i % ($3 / 10)) AS c, i < $3 AS is_open,
       1000 + (i * 7919 + m * 104729) % 250000 AS amount,
       date '${today}' - (CASE WHEN i < $3 THEN (i * 31 + m * 17) % 240 - 40 ELSE 60 + (i * 31 + m) % 650 END)::int AS due
     FROM generate_series($1::bigint, $2::bigint) m, generate_series(0, 2 * $3 - 1) i`,
    [from, to, each],
  )
  await pool.query(`
    ALTER TABLE made ADD paid bigint, ADD since text, ADD due_text text, ADD paid_on text, ADD search text;
    UPDATE made SET since = to_char(due - 30, 'YYYY-MM-DD'), due_text = to_char(due, 'YYYY-MM-DD'),
      paid = CASE WHEN NOT is_open THEN amount WHEN i % 4 = 0 THEN amount / 2 ELSE 0 END,
      paid_on = to_char(least(due + (i % 50)::int - 10, date '${today}'), 'YYYY-MM-DD'),
      search = E'\\ninv-' || i || E'\\nclient ' || c || E'\\nvisit ' || i;`)
  await addGrams(pool)
  await pool.query(`
    INSERT INTO ${schema}.client
    SELECT client, merchant, 'Client ' || c, 'client ' || c, NULL, 'accounts' || c || '@client.example', NULL,
      NULL, NULL, false, false, false, false, NULL, NULL, false, false, '{}', false, timestamptz '2024-11-25', 'client ' || c, 'client ' || c, NULL,
      'accounts' || c || '@client.example'
    FROM made GROUP BY client, merchant, c ON CONFLICT DO NOTHING;
    INSERT INTO ${schema}.receivable
    SELECT id, merchant, client, 'INV-' || i, 'inv-' || lpad(i::text, 9, '0'), 'Visit ' || i, NULL, 'usd', since, since,
      due_text, amount, amount - paid, CASE WHEN is_open THEN 'open' ELSE 'paid' END,
      CASE WHEN is_open AND i % 20 = 0 THEN '2026-12-01' END, is_open AND i % 25 = 0, NULL, is_open AND i % 50 = 7,
      is_open AND (i % 20 = 0 OR i % 25 = 0 OR i % 50 = 7), 'Client ' || c, 'client ' || c, false, NULL,
      due - 30, paid_on, CASE WHEN NOT is_open THEN paid_on END,
      CASE WHEN NOT is_open THEN paid_on::date - (due - 30) END, CASE WHEN NOT is_open THEN paid END, search, grams.of_text,
      jsonb_build_object('since', since, 'added', amount, 'addedNumber', 1, 'movements', '[]'::jsonb, 'invoiced', '[]'::jsonb, 'writtenOff', '[]'::jsonb, 'promises', '[]'::jsonb,
        'dues', jsonb_build_array(jsonb_build_object('from', since, 'due', due_text)), 'payments', '[]'::jsonb, 'credits', 0),
      '{"settled": null, "reopened": null, "resumed": null}'::jsonb
    FROM made JOIN grams USING (id);
    INSERT INTO ${schema}.movement
    SELECT (m * 1000000 + i) * 2, id, 'ReceivableAdded', merchant, client, id, 'usd', since, amount, 0, NULL, NULL, false, due - 30, amount
    FROM made
    UNION ALL
    SELECT (m * 1000000 + i) * 2 + 1, id, 'PaymentRecorded', merchant, client, id, 'usd', paid_on, -paid, paid, id, 'check', false, due, 0
    FROM made WHERE paid > 0;
    DROP TABLE made, grams`)
}

const gramsOnce = 20_000

/** The parts of the search texts: PostgreSQL has no function for them. */
async function addGrams(pool: pg.Pool): Promise<void> {
  await pool.query('CREATE TEMP TABLE grams (id text, of_text integer[])')
  const { rows } = await pool.query<{ id: string; merchant: string; search: string }>(
    'SELECT id, merchant, search FROM made',
  )
  for (let from = 0; from < rows.length; from += gramsOnce) {
    const some = rows.slice(from, from + gramsOnce)
    await pool.query(
      'INSERT INTO grams SELECT id, t::integer[] FROM unnest($1::text[], $2::text[]) AS g (id, t)',
      [
        some.map(({ id }) => id),
        some.map(({ merchant, search }) => `{${searchGrams(merchant, search).join(',')}}`),
      ],
    )
  }
}

/** The sums that the fold keeps, from the rows. */
async function addSums(pool: pg.Pool): Promise<void> {
  await pool.query(`
    INSERT INTO ${schema}.due_day
    SELECT m.merchant_id, m.currency, r.due_date, m.day, sum(m.amount_minor),
      sum(CASE WHEN m.type = 'ReceivableAdded' THEN 1 WHEN r.open_minor = 0 THEN -1 ELSE 0 END)
    FROM ${schema}.movement m JOIN ${schema}.receivable r USING (receivable_id) GROUP BY 1, 2, 3, 4;
    INSERT INTO ${schema}.due_sum
    SELECT merchant_id, currency, due_date, sum(amount), sum(count) FROM ${schema}.due_day
    GROUP BY 1, 2, 3 HAVING sum(amount) <> 0 OR sum(count) <> 0;
    INSERT INTO ${schema}.day_sum
    SELECT m.merchant_id, m.currency, m.day, sum(m.money_minor), count(*),
      count(*) FILTER (WHERE r.open_minor = 0), coalesce(sum(m.money_minor) FILTER (WHERE r.open_minor = 0), 0),
      coalesce(sum(m.money_minor * (m.day::date - r.issue_date::date)) FILTER (WHERE r.open_minor = 0), 0)
    FROM ${schema}.movement m JOIN ${schema}.receivable r USING (receivable_id)
    WHERE m.type = 'PaymentRecorded' GROUP BY 1, 2, 3;
    INSERT INTO ${schema}.invoiced_month
    SELECT merchant_id, currency, left(day, 7), day, sum(invoiced_minor) FROM ${schema}.movement
    WHERE invoiced_minor <> 0 GROUP BY 1, 2, 3, 4;
    INSERT INTO ${schema}.merchant_count
    SELECT merchant_id, currency, state, count(*) FROM ${schema}.receivable GROUP BY 1, 2, 3
    UNION ALL SELECT merchant_id, '', 'client', count(*) FROM ${schema}.client GROUP BY 1
    UNION ALL SELECT merchant_id, '', 'owing-client', count(DISTINCT client_id)
    FROM ${schema}.receivable WHERE state = 'open' GROUP BY 1;
    INSERT INTO ${schema}.client_standing
    SELECT client_id, merchant_id, count(*), min(due_date), jsonb_build_object('usd', sum(open_minor))
    FROM ${schema}.receivable WHERE state = 'open' GROUP BY 1, 2`)
}
