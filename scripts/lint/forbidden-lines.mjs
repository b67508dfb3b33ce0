/** The folders with code. */
export const codeFolders = ['contracts', 'projections', 'scripts', 'services', 'tests', 'web']

/** The sandbox is no part of the product. */
const isProduct = (file) => /^(contracts|projections|services(?!\/sandbox)|web)\//.test(file)

/** Files that may assert a type, with the reason. */
const mayCast = [
  // Feeds the client library's Subscription with fake gRPC messages, whose generated classes are
  // not exported.
  'tests/domain/event-store/eventstoredb-client-subscription.test.ts',
  // The types of pdfkit lack an object of font features, and a document without a standard font.
  'services/billing/receipts/render-receipt.ts',
  'services/billing/receipts/text-writer.ts',
  // The types of bidi-js declare another export than the package has.
  'services/billing/receipts/visual-order.ts',
  // No type follows from the type and the object of an event of Stripe.
  'tests/domain/from-stripe-history.test.ts',
]

/** Files whose loop is no wait for a condition, with the reason. */
const mayPoll = [
  'tests/support/machine/until.ts',
  // Ends with the subscription, too.
  'tests/support/event-store/collect-events.ts',
  // Measures while a dependency is frozen.
  'tests/end-to-end/frozen/story.ts',
  // Runs as a separate program, without TypeScript.
  'tests/integration/scripts/build-lock.test.ts',
]

const rendersHtml = /dangerouslySetInnerHTML|\.(inner|outer)HTML|insertAdjacentHTML|document\.write/
const startsShell =
  /\bexec(Sync)?\('|import \{[^}]*\bexec(Sync)?\b[^}]*\} from 'node:child_process'|shell: *true/
const weakCipher = /'(md5|sha1|sha-1|rc4)'|'(aes|des)[\w-]*-(ecb|cbc)'|\bSubtleCrypto\b/i

/** What no line may contain: the pattern, the files and the sentence about a line that has it. */
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
    files: isProduct,
    sentence: 'a hash or a cipher is not approved: see docs/security.md',
  },
  {
    pattern: /Math\.random\(/,
    files: isProduct,
    sentence: 'a random value can be predicted: use node:crypto',
  },
]

/** This file and its test name what is forbidden. */
const namesRules = ['scripts/lint/forbidden-lines.mjs', 'tests/domain/forbidden-lines.test.ts']

/** One sentence, with file and line, for each line of `text` that breaks a rule. */
export function forbiddenLines(file, text) {
  if (namesRules.includes(file)) return []
  const concerned = rules.filter(({ files }) => files(file))
  return text
    .split('\n')
    .flatMap((line, index) =>
      concerned
        .filter(({ pattern }) => pattern.test(line))
        .map(({ sentence }) => `${file}:${index + 1}: ${sentence}.`),
    )
}
