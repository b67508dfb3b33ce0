import { readFile } from 'node:fs/promises'

/**
 * An object that the sandbox answered to a call of the product, from
 * `tests/support/data/stripe/<name>.json`. tests/integration/sandbox/recorded-objects.test.ts
 * writes the files, and compares them with the sandbox.
 */
export async function stripeObject<T>(name: string): Promise<T> {
  const file = new URL(`stripe/${name}.json`, import.meta.url)
  return JSON.parse(await readFile(file, 'utf8')) as T
}
