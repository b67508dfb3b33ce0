import './check-installation.mjs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

const usage = `Usage: npm run api-client -- --out <folder> [--from <address or file>]

Generate a TypeScript client of the API.

  --out   the folder that gets the file api-client.ts
  --from  the OpenAPI document, such as http://localhost:3000/api/openapi.json;
          by default docs/openapi.json`

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    from: { type: 'string', default: 'docs/openapi.json' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help || values.out === undefined) {
  console.log(usage)
  process.exit(values.help ? 0 : 1)
}

// Imported here, so that a missing package is reported by the check of the installation.
const { generateApi } = await import('swagger-typescript-api')
const isAddress = /^https?:\/\//.test(values.from)
await generateApi({
  ...(isAddress ? { url: values.from } : { input: resolve(values.from) }),
  output: resolve(values.out),
  fileName: 'api-client.ts',
  httpClientType: 'fetch',
  silent: true,
})
console.log(`Wrote ${resolve(values.out, 'api-client.ts')} from ${values.from}.`)
