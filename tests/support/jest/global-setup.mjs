import { tsImport } from 'tsx/esm/api'

/** Jest loads this file with plain Node.js, which cannot load TypeScript here. */
export default async function globalSetup() {
  const { startTestServer } = await tsImport('../postgres/test-server.ts', import.meta.url)
  globalThis.testServer = await startTestServer()
  process.env.TEST_POSTGRES_URL = globalThis.testServer.url
}
