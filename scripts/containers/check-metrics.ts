import type { World } from './world.ts'

const fetchOf = (url: string) =>
  `fetch(${JSON.stringify(url)}).then(async (answer) => console.log(answer.status, (await answer.text()).includes('projection_events_behind')))`

/**
 * Reads the metrics of each role as a scraper does: from a container that is only on the network
 * `metrics`. @throws if a role serves none, or if the proxy serves them
 */
export async function checkMetrics(world: World): Promise<void> {
  for (const role of ['api', 'projector', 'reactor']) {
    const [container = ''] = await world.containersOf(role)
    const image = await world.docker('inspect', '--format', '{{.Image}}', container)
    const scraper = ['run', '--rm', '--network', `${world.project}_metrics`, image]
    const script = fetchOf(`http://${role}:9464/metrics`)
    const answer = await world.docker(...scraper, 'node', '-e', script)
    if (answer !== '200 true')
      throw new Error(`A scraper does not get the metrics of ${role}: it got '${answer}'.`)
    const published = await world.docker('port', container)
    if (published !== '') throw new Error(`The container of ${role} publishes ports: ${published}.`)
  }
  const throughProxy = await fetch(`${world.url}/metrics`)
  if ((await throughProxy.text()).includes('projection_events_behind'))
    throw new Error('The proxy serves the metrics to everyone.')
}
