import type { UnavailableError } from '@eventstore/db-client'

type ServiceError = NonNullable<ConstructorParameters<typeof UnavailableError>[0]>
type Metadata = ReturnType<ServiceError['metadata']['getMap']>

/**
 * The error of a rejected gRPC call. Of its metadata it has only `getMap`, which the client library
 * reads.
 */
export function grpcError(code: number, details: string, metadata: Metadata = {}): ServiceError {
  return Object.assign(new Error(`${code} ${details}`), {
    code,
    details,
    metadata: { getMap: () => metadata },
  }) as ServiceError
}
