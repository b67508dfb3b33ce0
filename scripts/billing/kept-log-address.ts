/** Host names, ports and paths as in docker-compose.yml. */
export const singleNodeUrl = 'esdb://eventstoredb:2113?tls=false'
export const clusterUrl = (password: string) =>
  `esdb://admin:${password}@eventstore-node1:2113,eventstore-node2:2113,eventstore-node3:2113?tls=true&tlsCAFile=/run/eventstore-ca/ca.crt`

/**
 * Explains that the kept file `eventstore_url` selects another log than the command requested, and
 * how the operator moves. Null if the address selects the requested log. Without `cluster`, the
 * address of an operator's own EventStoreDB fits, too. The text holds no password.
 */
export function explainKeptAddress(
  address: string,
  { cluster, directory }: { readonly cluster: boolean; readonly directory: string },
): string | null {
  const namesCluster = address.includes('eventstore-node1:2113')
  if (cluster === namesCluster) return null
  const file = `${directory}/eventstore_url`
  const [named, wanted] = cluster
    ? [address === singleNodeUrl ? 'the single node' : 'another log', 'the cluster']
    : ['the cluster', 'the single node']
  const target = cluster
    ? clusterUrl(`$(cat ${directory}/eventstore_admin_password)`)
    : singleNodeUrl
  const again = `npm run -s billing -- secrets ${cluster ? '--cluster ' : ''}${directory}`
  const copy = `docker compose run --rm --no-deps projector node dist/scripts/billing.js events copy --to "${target}"`
  const up = 'docker compose --profile cluster up --detach'
  return `${file} exists and names ${named}. It was kept, so the product continues to use ${named}, not ${wanted}.
If no customer is recorded yet: rm -f ${file} && ${again}
Otherwise copy the log first, and then write the address:
  ${up}
  ${copy}
  docker compose stop api projector reactor
  ${copy} --quick --switch
  rm -f ${file} && ${again}
  ${cluster ? `${up} --scale eventstoredb=0` : 'docker compose up --detach'}
`
}
