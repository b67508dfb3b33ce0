import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type pg from 'pg'

/*
 * The figures of the reports in plain SQL over an export of the log, written from the definitions
 * in docs/finance.md. Shares no code with the reports.
 */

/** Loads the lines of `billing events export` into the table `audit.event`, in their order. */
export async function loadExport(pool: pg.Pool, file: string): Promise<number> {
  await pool.query(`
    CREATE SCHEMA audit;
    CREATE TABLE audit.event (position bigserial PRIMARY KEY, type text, stream text, at timestamptz, data jsonb)`)
  let batch: string[] = []
  let loaded = 0
  const flush = async () => {
    const { rowCount } = await pool.query(
      `INSERT INTO audit.event (type, stream, at, data)
       SELECT line -> 'event' ->> 'type', line -> 'event' ->> 'stream',
              (line -> 'event' -> 'metadata' ->> 'occurredAt')::timestamptz, line -> 'event' -> 'data'
       FROM unnest($1::jsonb[]) WITH ORDINALITY AS lines (line, place)
       WHERE line ? 'event' ORDER BY place`,
      [batch],
    )
    loaded += rowCount ?? 0
    batch = []
  }
  for await (const line of createInterface({ input: createReadStream(file) })) {
    batch.push(line)
    if (batch.length === 1_000) await flush()
  }
  await flush()
  return loaded
}

/**
 * Defines the views. Days are days of `zone`; facts after `asOf` (yyyy-mm-dd) are left out. Amounts
 * are minor units.
 */
export async function defineFigures(pool: pg.Pool, zone: string, asOf: string): Promise<void> {
  await pool.query(figures.replaceAll(':zone', literal(zone)).replaceAll(':as_of', literal(asOf)))
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

const figures = `
CREATE VIEW audit.fact AS
  SELECT position, type, stream, data, (at AT TIME ZONE :zone)::date AS day FROM audit.event;

CREATE VIEW audit.sale AS
  SELECT position, day, stream, data ->> 'paymentId' AS payment, data ->> 'planName' AS plan,
         data -> 'amounts' ->> 'currency' AS currency,
         (data -> 'amounts' ->> 'total')::bigint AS total, (data -> 'amounts' ->> 'tax')::bigint AS tax,
         (data -> 'amounts' ->> 'paid')::bigint AS paid,
         (SELECT coalesce(sum((way ->> 'amount')::bigint), 0) FROM jsonb_array_elements(data -> 'paidBy') way WHERE way ->> 'kind' = 'outside') AS outside
  FROM audit.fact WHERE type = 'PaymentSucceeded';

-- A refund returns its amount when its status becomes succeeded, and takes it back when it leaves.
CREATE VIEW audit.refund_status AS
  SELECT position, day, stream, data ->> 'refundId' AS refund,
         coalesce(data ->> 'to', data ->> 'status') = 'succeeded' AS is_returned
  FROM audit.fact WHERE type IN ('RefundRecorded', 'RefundStatusChanged');
CREATE VIEW audit.refund_change AS
  SELECT c.position, c.day, c.stream, c.refund, c.sign, r.data,
         max(c.day) OVER (PARTITION BY c.refund ORDER BY c.position) AS counted_on,
         (r.data -> 'amount' ->> 'amount')::bigint AS amount, r.data -> 'amount' ->> 'currency' AS currency
  FROM (SELECT *, is_returned::int - coalesce(lag(is_returned) OVER (PARTITION BY refund ORDER BY position), false)::int AS sign
        FROM audit.refund_status) c
  JOIN audit.fact r ON r.type = 'RefundRecorded' AND r.data ->> 'refundId' = c.refund;

-- The refunded part of a credit note is booked with its refund. A note on an open invoice counts on
-- the day of the payment, and not at all without one.
CREATE VIEW audit.note AS
  SELECT n.position, n.stream, n.data ->> 'creditNoteId' AS note, n.data ->> 'paymentId' AS payment,
         n.data -> 'total' ->> 'currency' AS currency, n.data ->> 'planName' AS plan,
         (n.data ->> 'beforePayment')::bigint AS before_payment,
         (n.data ->> 'outOfBand')::bigint AS out_of_band,
         (n.data ->> 'beforePayment')::bigint + (n.data ->> 'toBalance')::bigint + (n.data ->> 'outOfBand')::bigint AS amount,
         n.day AS issued, v.position AS void_position, v.day AS voided
  FROM audit.fact n
  LEFT JOIN audit.fact v ON v.type = 'CreditNoteVoided' AND v.data ->> 'creditNoteId' = n.data ->> 'creditNoteId'
  WHERE n.type = 'CreditNoteIssued';
CREATE VIEW audit.note_change AS
  WITH booked AS (
    SELECT n.*, earlier.position IS NULL AND n.before_payment > 0 AS is_pending,
           later.position AS paid_position, later.day AS paid
    FROM audit.note n
    LEFT JOIN audit.sale earlier ON earlier.stream = n.stream AND earlier.payment = n.payment
      AND earlier.currency = n.currency AND earlier.position < n.position
    LEFT JOIN audit.sale later ON later.stream = n.stream AND later.payment = n.payment
      AND later.currency = n.currency AND later.position > n.position)
  SELECT CASE WHEN is_pending THEN paid_position ELSE position END AS position,
         CASE WHEN is_pending THEN paid ELSE issued END AS day, stream, payment, currency, plan, amount, out_of_band, 1 AS sign
  FROM booked WHERE NOT is_pending OR (paid_position IS NOT NULL AND (void_position IS NULL OR void_position > paid_position))
  UNION ALL
  SELECT void_position, voided, stream, payment, currency, plan, amount, out_of_band, -1
  FROM booked WHERE void_position IS NOT NULL AND (NOT is_pending OR void_position > paid_position);

-- A chargeback takes the money. A won one returns it.
CREATE VIEW audit.dispute_change AS
  SELECT d.position, d.day, d.stream, d.data ->> 'paymentId' AS payment, d.data ->> 'planName' AS plan,
         d.data -> 'amount' ->> 'currency' AS currency, (d.data -> 'amount' ->> 'amount')::bigint AS amount, 1 AS sign
  FROM audit.fact d WHERE d.type = 'DisputeOpened' AND d.data ->> 'kind' = 'chargeback'
  UNION ALL
  SELECT c.position, c.day, c.stream, d.data ->> 'paymentId', d.data ->> 'planName',
         d.data -> 'amount' ->> 'currency', (d.data -> 'amount' ->> 'amount')::bigint, -1
  FROM audit.fact c
  JOIN audit.fact d ON d.type = 'DisputeOpened' AND d.data ->> 'kind' = 'chargeback'
    AND d.data ->> 'disputeId' = c.data ->> 'disputeId' AND d.position < c.position
  WHERE c.type = 'DisputeClosed' AND c.data ->> 'outcome' <> 'lost';

-- What the provider takes for a dispute, and returns.
CREATE VIEW audit.dispute_fee AS
  SELECT day, data -> 'fee' ->> 'currency' AS currency, (data -> 'fee' ->> 'amount')::bigint AS fee
  FROM audit.fact WHERE type = 'DisputeFeeCharged';
CREATE VIEW audit.dispute_fees AS
  SELECT currency, sum(fee)::bigint AS balance FROM audit.dispute_fee WHERE day <= :as_of GROUP BY currency HAVING sum(fee) <> 0;

-- The fees on payments of clients, less what went back to merchants.
CREATE VIEW audit.platform_fee AS
  SELECT day, data ->> 'currency' AS currency,
         CASE WHEN type = 'PlatformFeeCharged' THEN 1 ELSE -1 END * (data ->> 'amount')::bigint AS fee
  FROM audit.fact WHERE type IN ('PlatformFeeCharged', 'PlatformFeeReturned');
CREATE VIEW audit.platform_fees AS
  SELECT currency, -sum(fee)::bigint AS balance FROM audit.platform_fee WHERE day <= :as_of GROUP BY currency HAVING sum(fee) <> 0;
CREATE VIEW audit.platform_fee_months AS
  SELECT to_char(day, 'YYYY-MM') AS month, currency, sum(fee)::bigint AS platform_fees
  FROM audit.platform_fee WHERE day <= :as_of GROUP BY 1, 2;

CREATE VIEW audit.cash AS
  SELECT currency, sum(amount)::bigint AS balance FROM (
    SELECT day, currency, paid - outside AS amount FROM audit.sale
    UNION ALL SELECT day, currency, -sign * amount FROM audit.refund_change
    UNION ALL SELECT day, currency, -sign * amount FROM audit.dispute_change
    UNION ALL SELECT day, currency, -fee FROM audit.dispute_fee
    UNION ALL SELECT day, currency, fee FROM audit.platform_fee) moved
  WHERE day <= :as_of GROUP BY currency HAVING sum(amount) <> 0;

CREATE VIEW audit.cash_outside AS
  SELECT currency, sum(amount)::bigint AS balance FROM (
    SELECT day, currency, outside AS amount FROM audit.sale
    UNION ALL SELECT day, currency, -sign * out_of_band FROM audit.note_change) moved
  WHERE day <= :as_of GROUP BY currency HAVING sum(amount) <> 0;

-- Amounts with tax, by the plan of the payment, or of the fact if the payment is not known yet.
CREATE VIEW audit.returned AS
  SELECT f.day, f.kind, f.currency, f.sign * f.amount AS amount, coalesce(CASE WHEN s.payment IS NOT NULL THEN s.plan END, CASE WHEN s.payment IS NULL THEN f.plan END, '') AS plan
  FROM (
    SELECT 'refunds' AS kind, position, day, stream, data ->> 'paymentId' AS payment, data ->> 'planName' AS plan, currency, amount, sign FROM audit.refund_change WHERE sign <> 0
    UNION ALL SELECT 'credits', position, day, stream, payment, plan, currency, amount, sign FROM audit.note_change WHERE amount <> 0
    UNION ALL SELECT 'disputes', position, day, stream, payment, plan, currency, amount, sign FROM audit.dispute_change) f
  LEFT JOIN audit.sale s ON s.stream = f.stream AND s.payment = f.payment AND s.currency = f.currency AND s.position <= f.position;
CREATE VIEW audit.revenue AS
  SELECT to_char(day, 'YYYY-MM') AS month, plan, currency,
         sum(gross)::bigint AS gross, sum(refunds)::bigint AS refunds, sum(credits)::bigint AS credits,
         sum(disputes)::bigint AS disputes, sum(net_and_tax)::bigint AS net_and_tax
  FROM (
    SELECT day, coalesce(plan, '') AS plan, currency, CASE WHEN total >= 0 THEN total - tax ELSE 0 END AS gross, 0 AS refunds,
           CASE WHEN total < 0 THEN tax - total ELSE 0 END AS credits, 0 AS disputes, total AS net_and_tax FROM audit.sale WHERE total <> 0 OR tax <> 0
    UNION ALL
    SELECT day, plan, currency, 0, CASE kind WHEN 'refunds' THEN amount ELSE 0 END, CASE kind WHEN 'credits' THEN amount ELSE 0 END,
           CASE kind WHEN 'disputes' THEN amount ELSE 0 END, -amount FROM audit.returned) moved
  WHERE day <= :as_of GROUP BY 1, 2, 3;

CREATE VIEW audit.refunds AS
  SELECT to_char(counted_on, 'YYYY-MM') AS month, data ->> 'kind' AS type, coalesce(data ->> 'reason', '') AS reason, currency,
         sum(sign)::bigint AS refunds, sum(sign * amount)::bigint AS amount
  FROM audit.refund_change WHERE sign <> 0 AND counted_on <= :as_of GROUP BY 1, 2, 3, 4;

-- Each failed invoice by its first failure. A payment is final, and a write-off is not.
CREATE VIEW audit.failed_invoice AS
  WITH failure AS (
    SELECT *, data ->> 'invoiceRef' AS invoice, (data -> 'due' ->> 'amount')::bigint AS due,
           row_number() OVER (PARTITION BY stream, data ->> 'invoiceRef' ORDER BY position) AS nth
    FROM audit.fact WHERE type = 'PaymentFailed'),
  later AS (
    SELECT f.stream, f.invoice, f.day AS failed_on, f.data ->> 'cause' AS cause, f.data -> 'due' ->> 'currency' AS currency,
           l.position, l.type, l.day, l.due, min(l.position) FILTER (WHERE l.type = 'PaymentSucceeded') OVER (PARTITION BY f.stream, f.invoice) AS paid
    FROM failure f
    JOIN (SELECT position, type, stream, day, data ->> 'invoiceRef' AS invoice, (data -> 'due' ->> 'amount')::bigint AS due
          FROM audit.fact WHERE type IN ('PaymentFailed', 'UnpaidInvoiceChanged', 'PaymentSucceeded', 'InvoiceWrittenOff')) l
      ON l.stream = f.stream AND l.invoice = f.invoice AND l.position >= f.position
    WHERE f.nth = 1),
  counted AS (
    SELECT *, max(day) OVER (PARTITION BY stream, invoice ORDER BY position) AS counted_on
    FROM later WHERE paid IS NULL OR position <= paid)
  SELECT stream, invoice, failed_on, cause, currency,
         count(*) FILTER (WHERE type = 'PaymentFailed') AS attempts,
         (array_agg(type ORDER BY position DESC) FILTER (WHERE type <> 'UnpaidInvoiceChanged'))[1] AS last,
         (array_agg(due ORDER BY position DESC) FILTER (WHERE due IS NOT NULL))[1] AS due
  FROM counted WHERE counted_on <= :as_of GROUP BY 1, 2, 3, 4, 5;
CREATE VIEW audit.failed_payments AS
  SELECT to_char(failed_on, 'YYYY-MM') AS month, cause AS type, currency, count(*)::bigint AS failed, sum(attempts)::bigint AS failed_attempts,
         sum(due)::bigint AS failed_amount,
         count(*) FILTER (WHERE last = 'PaymentSucceeded') AS recovered, count(*) FILTER (WHERE last = 'InvoiceWrittenOff') AS written_off,
         count(*) FILTER (WHERE last = 'PaymentFailed') AS open,
         coalesce(sum(due) FILTER (WHERE last = 'PaymentSucceeded'), 0)::bigint AS recovered_amount,
         coalesce(sum(due) FILTER (WHERE last = 'InvoiceWrittenOff'), 0)::bigint AS written_off_amount,
         coalesce(sum(due) FILTER (WHERE last = 'PaymentFailed'), 0)::bigint AS open_amount
  FROM audit.failed_invoice GROUP BY 1, 2, 3;

-- Each state of a subscription: its day never goes back, and its end is final.
CREATE VIEW audit.state AS
  WITH change AS (
    SELECT position, stream, data ->> 'subscriptionId' AS subscription, type,
           CASE type WHEN 'PlanChanged' THEN greatest(day, ((data ->> 'effectiveAt')::timestamptz AT TIME ZONE :zone)::date) ELSE day END AS day,
           CASE type WHEN 'SubscriptionPaused' THEN 'paused' WHEN 'SubscriptionEnded' THEN 'ended'
                     WHEN 'SubscriptionStatusChanged' THEN data ->> 'to' ELSE data ->> 'status' END AS status,
           CASE type WHEN 'SubscriptionStarted' THEN data WHEN 'PlanChanged' THEN data -> 'to' END AS terms,
           CASE type WHEN 'RecurringDeductionsChanged' THEN data END AS deductions
    FROM audit.fact
    WHERE type IN ('SubscriptionStarted', 'SubscriptionStatusChanged', 'SubscriptionPaused', 'SubscriptionResumed', 'SubscriptionEnded', 'PlanChanged', 'RecurringDeductionsChanged')),
  living AS (
    SELECT c.* FROM change c WHERE NOT EXISTS (
      SELECT FROM change e WHERE e.subscription = c.subscription AND e.status = 'ended' AND e.position < c.position)),
  filled AS (
    SELECT *, max(day) OVER before AS since,
           (array_agg(status) FILTER (WHERE status IS NOT NULL) OVER before) AS statuses,
           (array_agg(terms) FILTER (WHERE terms IS NOT NULL) OVER before) AS all_terms,
           (array_agg(deductions) FILTER (WHERE deductions IS NOT NULL) OVER before) AS all_deductions
    FROM living WINDOW before AS (PARTITION BY subscription ORDER BY position))
  SELECT position, stream, subscription, since, statuses[cardinality(statuses)] AS status,
         statuses[cardinality(statuses) - 1] AS previous, type, all_terms[cardinality(all_terms)] AS terms,
         all_deductions[cardinality(all_deductions)] AS deductions
  FROM filled;
-- The price of an interval, less coupons without an end one after the other, less the tax in the rest.
CREATE FUNCTION audit.billed(price numeric, deductions jsonb) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  discount jsonb;
  tax numeric := coalesce((deductions ->> 'includedTax')::numeric, 0);
BEGIN
  FOR discount IN SELECT jsonb_array_elements(coalesce(deductions -> 'discounts', '[]')) LOOP
    price := price - CASE discount ->> 'kind' WHEN 'amount' THEN least(price, (discount ->> 'amount')::numeric)
                     ELSE round(price * (discount ->> 'millionths')::numeric / 1000000) END;
  END LOOP;
  RETURN price - round(price * tax / (1000000 + tax));
END $$;
CREATE VIEW audit.state_mrr AS
  SELECT *, terms -> 'price' ->> 'currency' AS currency,
    CASE WHEN status IN ('active', 'past_due') THEN round(
      audit.billed((terms -> 'price' ->> 'amount')::numeric * (terms ->> 'quantity')::numeric, deductions)
      * CASE terms ->> 'interval' WHEN 'week' THEN 52 WHEN 'day' THEN 365 ELSE 1 END
      / (CASE terms ->> 'interval' WHEN 'month' THEN 1 ELSE 12 END * (terms ->> 'intervalCount')::numeric)) ELSE 0 END AS mrr
  FROM audit.state;

CREATE VIEW audit.month AS
  SELECT to_char(first, 'YYYY-MM') AS month, first::date,
         least((first + interval '1 month - 1 day')::date, :as_of::date) AS last
  FROM generate_series((SELECT date_trunc('month', min(since)) FROM audit.state), date_trunc('month', :as_of::date), interval '1 month') AS first;
-- The last state of each subscription at the end of each day of interest.
CREATE FUNCTION audit.states_on(date) RETURNS SETOF audit.state_mrr LANGUAGE sql STABLE AS
  'SELECT DISTINCT ON (subscription) * FROM audit.state_mrr WHERE since <= $1 ORDER BY subscription, position DESC';

CREATE VIEW audit.mrr AS
  SELECT m.month, s.currency, sum(s.mrr)::bigint AS closing
  FROM audit.month m CROSS JOIN LATERAL audit.states_on(m.last) s GROUP BY 1, 2;
CREATE VIEW audit.subscriptions AS
  SELECT m.month,
    (SELECT json_build_object('active', count(*) FILTER (WHERE status = 'active'), 'trialing', count(*) FILTER (WHERE status = 'trialing'),
            'paused', count(*) FILTER (WHERE status = 'paused'), 'past_due', count(*) FILTER (WHERE status = 'past_due'))
     FROM audit.states_on(m.last)) AS counts,
    (SELECT count(*) FROM audit.state WHERE status = 'ended' AND since BETWEEN m.first AND m.last
       AND previous IN ('active', 'trialing', 'past_due', 'unpaid', 'paused')) AS ended,
    (SELECT count(*) FROM audit.states_on(m.first - 1) WHERE status IN ('active', 'trialing', 'past_due', 'unpaid', 'paused')) AS live
  FROM audit.month m;

-- What each customer's MRR moved by on each day, by its kind.
CREATE VIEW audit.movement AS
  WITH day AS (SELECT DISTINCT since AS day FROM audit.state),
  balance AS (
    SELECT d.day, s.stream, s.currency, sum(s.mrr) AS mrr
    FROM day d CROSS JOIN LATERAL audit.states_on(d.day) s GROUP BY 1, 2, 3),
  step AS (
    SELECT *, coalesce(lag(mrr) OVER days, 0) AS before, coalesce(max(mrr) OVER (days ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS most
    FROM balance WINDOW days AS (PARTITION BY stream, currency ORDER BY day))
  SELECT to_char(day, 'YYYY-MM') AS month, currency,
         CASE WHEN before = 0 AND most = 0 THEN 'new' WHEN before = 0 THEN 'reactivation' WHEN mrr = 0 THEN 'churn'
              WHEN mrr > before THEN 'expansion' ELSE 'contraction' END AS kind, sum(mrr - before)::bigint AS amount
  FROM step WHERE mrr <> before AND day <= :as_of GROUP BY 1, 2, 3;
`
