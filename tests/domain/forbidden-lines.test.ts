import { describe, expect, it } from '@jest/globals'
import { forbiddenLines } from '../../scripts/lint/forbidden-lines.mjs'

const product = 'services/mail/mailer.ts'
const test = 'tests/integration/http/pages.test.ts'

const violations: readonly (readonly [file: string, line: string, sentence: string])[] = [
  [test, `// ${'x'.repeat(98)}`, 'a comment is longer than 100 columns'],
  [test, `   * ${'x'.repeat(96)}`, 'a comment is longer than 100 columns'],
  [product, 'await pool.query<Row>(text)', 'a row has an asserted type'],
  [product, 'new Cursor<Row>(text)', 'a row has an asserted type'],
  [test, 'const user = row as unknown as User', 'a cast hides the type'],
  [test, 'send(row as never)', 'a cast hides the type'],
  [product, 'const { id } = JSON.parse(text) as Row', 'a cast hides the form of JSON'],
  [test, '  while (!isReady()) await sleep(20)', 'a loop polls by itself'],
  [test, 'for (; !isReady(); await sleep(20)) look()', 'a loop polls by itself'],
  [test, 'given(user as UserId)', 'a cast makes an id'],
  [product, 'await send().catch(() => null)', 'an error is swallowed'],
  ['scripts/billing/erase.ts', 'process.stdout.write(name)', 'a stored name can reach'],
  ['web/ui/text.tsx', '<p dangerouslySetInnerHTML={html} />', 'text is rendered as HTML'],
  ['web/ui/text.tsx', 'element.innerHTML = text', 'text is rendered as HTML'],
  [product, 'eval(text)', 'text is evaluated as code'],
  [product, "import { runInContext } from 'node:vm'", 'text is evaluated as code'],
  [product, "import { exec } from 'node:child_process'", 'a shell is started'],
  [product, 'spawn(text, { shell: true })', 'a shell is started'],
  [product, "createHash('md5')", 'a hash or a cipher is not approved'],
  [product, "createCipheriv('aes-128-ecb', key, null)", 'a hash or a cipher is not approved'],
  [product, 'Math.random()', 'a random value can be predicted'],
  ['projections/users/user-rows.ts', 'await Promise.all([', 'a fold sends statements with atOnce'],
  [product, 'readonly stripeCustomerId: string', 'Stripe is named outside its adapter'],
  ['contracts/events/billing.ts', 'stripeRefundId: z.string(),', 'Stripe is named outside'],
  ['projections/purchases/tables.ts', '  stripe_id text NOT NULL,', 'Stripe is named outside'],
  ['services/postgres/migrations/0099_a.sql', '  stripe_id text,', 'Stripe is named outside'],
  [
    'services/payments/provider-event.ts',
    "import type Stripe from 'stripe'",
    'Stripe is named outside',
  ],
  ['web/ui/text.tsx', 'const key = stripeKey', 'Stripe is named in a screen'],
]

describe('a forbidden line', () => {
  it.each(violations)('of %s is found: %s', (file, line, sentence) => {
    expect(forbiddenLines(file, `const first = 1\n${line}\n`)).toEqual([
      expect.stringMatching(`^${file}:2: ${sentence}.*\\.$`),
    ])
  })

  it.each([
    ['services/sandbox/pages/page.ts', 'Math.random()'],
    [test, 'Math.random()'],
    ['projections/users/queries/summary.ts', 'await Promise.all(['],
    [test, `const text = '${'x'.repeat(98)}'`],
    ['tests/performance/lag.ts', 'while (isRunning) await sleep(20)'],
    ['services/pdf/visual-order.ts', 'bidi as unknown as Bidi'],
    [product, 'await pool.query(text)'],
    [product, ' * Source: https://docs.stripe.com/disputes/categories'],
    ['services/payments/stripe/calls.ts', "import Stripe from 'stripe'"],
    ['contracts/purchases.ts', '  stripe_id: z.string(),'],
    ['web/ui/text.tsx', '<span>{stripe_subscription_id}</span>'],
    [product, 'await client.end().catch(() => undefined)'],
    [product, '// The caller reads the answer.\nsend().catch(() => null)'],
    [test, 'await send().catch(() => null)'],
  ])('is not this one of %s: %s', (file, line) => {
    expect(forbiddenLines(file, line)).toEqual([])
  })
})
