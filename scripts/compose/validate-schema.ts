import { Ajv } from 'ajv'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ComposeFile } from './read-compose-file.ts'

/**
 * The schema of the Compose Specification (compose-spec/compose-spec, Apache-2.0), as the linter dclint
 * carries it. Each file is checked alone, as its author wrote it. Problems are sentences, one a place.
 */
export function createSchemaCheck(): (file: ComposeFile) => readonly string[] {
  const packageFile = createRequire(import.meta.url).resolve('dclint/package.json')
  const schema = JSON.parse(
    readFileSync(join(dirname(packageFile), 'schemas', 'compose.schema.json'), 'utf8'),
  ) as { $schema?: string }
  // Draft 7 is what ajv assumes; the schema names it by an address with https, which ajv does not know it by.
  delete schema.$schema
  const ajv = new Ajv({ allErrors: true, strict: false })
  const validate = ajv.compile(schema)
  return ({ name, content }) => {
    if (validate(content)) return []
    const problems = (validate.errors ?? [])
      // Of a choice only the branches are worth reading, not that none of them fitted.
      .filter(({ keyword }) => keyword !== 'oneOf' && keyword !== 'anyOf')
      .map(({ instancePath, message, params }) => {
        const extra =
          'additionalProperty' in params ? ` ('${String(params['additionalProperty'])}')` : ''
        return `${name}: ${instancePath.slice(1).replaceAll('/', '.') || 'the file'} ${message ?? 'is wrong'}${extra}.`
      })
    return [...new Set(problems)]
  }
}
