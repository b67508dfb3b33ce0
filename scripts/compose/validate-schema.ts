import { Ajv } from 'ajv'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ComposeFile } from './read-compose-file.ts'

/**
 * Returns a check against the schema of the Compose Specification (compose-spec/compose-spec,
 * Apache-2.0), which the package dclint contains. The check takes one file before merging and
 * returns one sentence per problem.
 */
export function createSchemaCheck(): (file: ComposeFile) => readonly string[] {
  const packageFile = createRequire(import.meta.url).resolve('dclint/package.json')
  const schema = JSON.parse(
    readFileSync(join(dirname(packageFile), 'schemas', 'compose.schema.json'), 'utf8'),
  ) as { $schema?: string }
  // Ajv assumes draft 7. It does not know draft 7 by the https address that the schema has.
  delete schema.$schema
  const ajv = new Ajv({ allErrors: true, strict: false })
  const validate = ajv.compile(schema)
  return ({ name, content }) => {
    if (validate(content)) return []
    const problems = (validate.errors ?? [])
      // The errors of the branches of a choice name the problem; the error of the choice itself
      // does not.
      .filter(({ keyword }) => keyword !== 'oneOf' && keyword !== 'anyOf')
      .map(({ instancePath, message, params }) => {
        const extra =
          'additionalProperty' in params ? ` ('${String(params['additionalProperty'])}')` : ''
        return `${name}: ${instancePath.slice(1).replaceAll('/', '.') || 'the file'} ${message ?? 'is wrong'}${extra}.`
      })
    return [...new Set(problems)]
  }
}
