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
  /**
   * Paths with the tag `!override` (`services.proxy.ports`): their value replaces the value of an
   * earlier file.
   */
  readonly overrides: ReadonlySet<string>
}

/**
 * Reads a compose file: YAML with anchors and merge keys. Problems are a duplicate key, an unknown
 * anchor and every tag except Compose's `!override`. `name` begins the text of each problem.
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
          `${name}: ${keys.join('.')} has the tag ${node.tag}, which this check does not support.`,
        )
    },
  })
  if (problems.length > 0) return { file: null, problems }
  try {
    const content = document.toJS() as Json
    return isObject(content)
      ? { file: { name, content, overrides }, problems }
      : { file: null, problems: [`${name}: the file is not a mapping.`] }
  } catch (error) {
    // Only toJS reports an alias without its anchor.
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
