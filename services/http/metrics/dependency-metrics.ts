import { Gauge, type Registry } from 'prom-client'

/** Whether the last call of a service got an answer. */
export interface MeasuredService {
  readonly service: string
  readonly answers: boolean
}

/** Returns a function that a scrape calls to set which services outside the product answer. */
export function dependencyMetrics(
  registry: Registry,
  measured: () => readonly MeasuredService[],
): () => Promise<void> {
  const answers = new Gauge({
    name: 'dependency_answers',
    help: '0 while the last call of a service by this process got no answer. Absent without a call in the last 10 min.',
    labelNames: ['dependency'],
    registers: [registry],
  })

  return async () => {
    answers.reset()
    for (const { service: dependency, answers: isAnswering } of measured())
      answers.set({ dependency }, isAnswering ? 1 : 0)
  }
}
