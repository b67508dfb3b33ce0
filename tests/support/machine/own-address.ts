import { networkInterfaces } from 'node:os'

/** An IPv4 address of this machine that is not a loopback address. Null if the machine has none. */
export const ownAddress: string | null =
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? null
