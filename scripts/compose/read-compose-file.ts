import { isMap, isPair, isScalar, isSeq, parseDocument, visit } from 'yaml'

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

export interface ComposeFile {
  readonly name: string
  readonly content: JsonObject
  /** Paths (`services.proxy.ports`) whose value replaces an earlier file's instead of joining it: `!override`. */
  readonly overrides: ReadonlySet<string>
}

/**
 * Reads a compose file: YAML with anchors and merge keys. A key given twice, an unknown anchor and any
 * tag but Compose's own `!override` are problems. `name` is what problems are called by.
 */
export function readComposeFile(
  name: string,
  text: string,
): { readonly file: ComposeFile | null; readonly problems: readonly string[] } {
  const document = parseDocument(text, { merge: true, uniqueKeys: true })
  const problems = document.errors.map((error) => `${name}: ${firstLine(error.message)}`)
  const overrides = new Set<string>()
  visit(document, {
    Node(_key, node, path) {
      if (!('tag' in node) || typeof node.tag !== 'string' || !node.tag.startsWith('!')) return
      const keys = path.flatMap((each) =>
        isPair(each) && isScalar(each.key) ? [String(each.key.value)] : [],
      )
      if (node.tag === '!override' && (isMap(node) || isSeq(node))) overrides.add(keys.join('.'))
      else
        problems.push(
          `${name}: ${keys.join('.')} has the tag ${node.tag}, which is not understood here.`,
        )
    },
  })
  if (problems.length > 0) return { file: null, problems }
  try {
    const content = document.toJS() as Json
    return isObject(content)
      ? { file: { name, content, overrides }, problems }
      : { file: null, problems: [`${name}: is not a mapping.`] }
  } catch (error) {
    // An alias without its anchor is only seen here.
    return {
      file: null,
      problems: [`${name}: ${error instanceof Error ? error.message : String(error)}.`],
    }
  }
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function firstLine(message: string): string {
  return message.split('\n')[0]?.replace(/:$/, '.') ?? message
}
