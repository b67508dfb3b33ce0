/** The folders with code. */
export const codeFolders = ['contracts', 'projections', 'scripts', 'services', 'tests', 'web']

/** The sandbox is no part of the product. */
const isProduct = (file) => /^(contracts|projections|services(?!\/sandbox)|web)\//.test(file)

/** Files that may assert a type, with the reason. */
const mayCast = [
  // The only place that makes the opaque type of a text, and the text of the opaque type.
  'contracts/events/provider-ref.ts',
  // Feeds the client library's Subscription with fake gRPC messages, whose generated classes are
  // not exported.
  'tests/domain/event-store/eventstoredb-client-subscription.full.test.ts',
  // The types of pdfkit lack an object of font features, and a document without a standard font.
  'services/pdf/pdf-document.ts',
  'services/pdf/text-writer.ts',
  // The types of bidi-js declare another export than the package has.
  'services/pdf/visual-order.ts',
  // No type follows from the type and the object of an event of Stripe.
  'tests/domain/from-stripe-history.test.ts',
]

/**
 * Files that may assert the form of JSON, with the reason: the same process, or the same version of
 * a read model, wrote the text. Parsers would cost a rebuild more than its folding.
 */
const mayCastJson = [
  'projections/reports/fold/customer-books.ts',
  'projections/reports/fold/customer-states.ts',
  'projections/reports/stored-booking.ts',
  'services/foundation/spool/sorted-spool.ts',
]

/** Files whose loop is no wait for a condition, with the reason. */
const mayPoll = [
  'tests/support/machine/until.ts',
  // Ends with the subscription, too.
  'tests/support/event-store/collect-events.ts',
  // Measures while a dependency is frozen.
  'tests/end-to-end/frozen/story.ts',
  // Runs as a separate program, without TypeScript.
  'tests/integration/scripts/build-lock.full.test.ts',
]

const rendersHtml = /dangerouslySetInnerHTML|\.(inner|outer)HTML|insertAdjacentHTML|document\.write/
const startsShell =
  /\bexec(Sync)?\('|import \{[^}]*\bexec(Sync)?\b[^}]*\} from 'node:child_process'|shell: *true/
const weakCipher = /'(md5|sha1|sha-1|rc4)'|'(aes|des)[\w-]*-(ecb|cbc)'|\bSubtleCrypto\b/i

/** What may name Stripe, with the reason. Comments may cite its documentation. */
const mayNameStripe = [
  // The adapter, the composition of the product and its settings, the commands of an operator.
  /^services\/(payments\/stripe|settings|sandbox-process|start|operations)\//,
  /^scripts\/(stripe-smoke|billing\/(stripe|demo))/,
  // Check the import rule of the adapter, and the names of settings in the documentation.
  /^scripts\/(lint|repository)\//,
  // The command `billing stripe`.
  'scripts/billing.ts',
  // The specification names fields of the API, a header of an export and the address of webhooks.
  'contracts/admin/active-subscriptions.ts',
  'contracts/checkout.ts',
  'contracts/purchases.ts',
  'contracts/specified-ids.ts',
  'services/admin/exports/subscription-columns.ts',
  'services/billing/webhooks/webhook-route.ts',
  'services/http/signed-webhook-route.ts',
  'services/receivables/connect-webhook-route.ts',
  // The names of the settings of prices.
  'contracts/plans.ts',
  // Names the processor of personal data.
  'contracts/brand/privacy-policy.ts',
  // Leaves the signature's header out of the log.
  'services/foundation/logger.ts',
  // Load the provider's script from its package.
  'web/lib/payment-script.ts',
  'web/lib/stripe-js-pure.d.ts',
]
const namesStripe = (file) =>
  mayNameStripe.some((each) => (typeof each === 'string' ? each === file : each.test(file)))

/** A line of code. A line of a comment begins with a slash, an asterisk or two hyphens. */
const code = String.raw`^(?!\s*(?:\/\/|\/?\*|--)).*`
const specifiedField = String.raw`_(?:subscription_id|payment_intent_id|id)\b|(?:Subscription|Price|Product)Id\b`
const otherProvider =
  'name the payment provider neutrally, see docs/decisions/0045-provider-refs.md'

/**
 * What no line may contain: the pattern, the files and the sentence about a line that has it. With
 * `unlessExplained`, a comment in the line or in one of the three lines before it allows the line.
 */
const rules = [
  {
    pattern: /^(?=.{101})\s*(\/\/|\/?\*)/,
    // The formatter wraps code at this width, and leaves comments as they are.
    files: () => true,
    sentence: 'a comment is longer than 100 columns: wrap it',
  },
  {
    pattern: /\bquery<|new Cursor</,
    files: (file) => /^(projections|scripts|services)\//.test(file),
    sentence: 'a row has an asserted type: read rows through services/foundation/rows.ts',
  },
  {
    pattern: /\bas never\b|\bas unknown as\b/,
    files: (file) => !mayCast.includes(file),
    sentence: 'a cast hides the type: parse the value, or add the file with its reason to mayCast',
  },
  {
    pattern: /^\s*while \(.*\) await |; await sleep\(/,
    files: (file) => /^tests\/(?!performance)/.test(file) && !mayPoll.includes(file),
    sentence: 'a loop polls by itself: use until of tests/support/machine/until.ts',
  },
  {
    pattern: /\bas \w+Id\b/,
    files: () => true,
    sentence: 'a cast makes an id: parse the text with its parser of contracts/ids.ts',
  },
  {
    pattern: /\bJSON\.parse\(.*\) as (?!unknown\b|const\b)/,
    files: (file) => !file.startsWith('tests/') && !mayCastJson.includes(file),
    sentence:
      'a cast hides the form of JSON: parse the value, or add the file with its reason to mayCastJson',
  },
  {
    // A connection that is left needs no answer to its end.
    pattern: /(?<!\.(end|cancel)\(\))\.catch\(\(\) => (undefined|null|false|''|\[\])\)/,
    files: isProduct,
    unlessExplained: true,
    sentence: 'an error is swallowed: log it, answer it, or say in a comment why no part needs it',
  },
  {
    pattern: /\bprocess\.stdout\.write\(|\bconsole\.log\(/,
    files: (file) => file.startsWith('scripts/billing/') && file !== 'scripts/billing/print.ts',
    sentence:
      'a stored name can reach the terminal: use print or printJson of scripts/billing/print.ts',
  },
  { pattern: rendersHtml, files: isProduct, sentence: 'text is rendered as HTML: render nodes' },
  {
    pattern: /\beval\(|new Function\(|node:vm/,
    files: isProduct,
    sentence: 'text is evaluated as code: write the code',
  },
  {
    pattern: startsShell,
    files: isProduct,
    sentence: 'a shell is started: use execFile or spawn with a list of arguments',
  },
  {
    pattern: weakCipher,
    // RFC 9562 makes the ids of version 5 by SHA-1. They are no secret and prove nothing.
    files: (file) => isProduct(file) && file !== 'services/foundation/uuid-v5.ts',
    sentence: 'a hash or a cipher is not approved: see docs/security.md',
  },
  {
    pattern: /Promise\.all\(/,
    files: (file) => /^projections\/(?!engine\/)(?!.*\/queries\/)/.test(file),
    sentence:
      'a fold sends statements with atOnce: Promise.all does not wait for the others after a failure, and a statement behind the ROLLBACK stays',
  },
  {
    pattern: /Math\.random\(/,
    files: isProduct,
    sentence: 'a random value can be predicted: use node:crypto',
  },
  {
    pattern: new RegExp(`${code}stripe`, 'i'),
    files: (file) =>
      (isProduct(file) || file.startsWith('scripts/')) &&
      !file.startsWith('web/') &&
      !namesStripe(file),
    sentence: `Stripe is named outside its adapter: ${otherProvider}`,
  },
  {
    pattern: new RegExp(`${code}\\bstripe(?!${specifiedField})`, 'i'),
    files: (file) => file.startsWith('web/') && !namesStripe(file),
    sentence: `Stripe is named in a screen: ${otherProvider}`,
  },
]

/** This file and its test name what is forbidden. */
const namesRules = ['scripts/lint/forbidden-lines.mjs', 'tests/domain/forbidden-lines.test.ts']

/** One sentence, with file and line, for each line of `text` that breaks a rule. */
export function forbiddenLines(file, text) {
  if (namesRules.includes(file)) return []
  const concerned = rules.filter(({ files }) => files(file))
  const lines = text.split('\n')
  return lines.flatMap((line, index) =>
    concerned
      .filter(({ pattern }) => pattern.test(line))
      .filter(({ unlessExplained }) => !(unlessExplained === true && isExplained(lines, index)))
      .map(({ sentence }) => `${file}:${index + 1}: ${sentence}.`),
  )
}

function isExplained(lines, index) {
  return lines.slice(Math.max(0, index - 3), index + 1).some((line) => /\/\/ |\*\/$/.test(line))
}
