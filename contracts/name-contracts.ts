import { z } from 'zod'

/** Gives contracts their names in the OpenAPI document. A name belongs to one contract. */
export function nameContracts(contracts: Readonly<Record<string, z.ZodType>>): void {
  for (const [id, contract] of Object.entries(contracts)) z.globalRegistry.add(contract, { id })
}
