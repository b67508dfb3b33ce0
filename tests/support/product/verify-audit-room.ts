import { execFile } from 'node:child_process'

export interface Verification {
  readonly code: number | string | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the auditor's script as the auditor does: alone, without the product's packages. */
export function verifyAuditRoom(...args: readonly string[]): Promise<Verification> {
  return new Promise((resolve) => {
    const script = ['scripts/verify-audit-room.mjs', ...args]
    execFile(
      process.execPath,
      script,
      { env: {}, maxBuffer: 64_000_000 },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : (error.code ?? null), stdout, stderr }),
    )
  })
}
