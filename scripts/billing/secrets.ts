import { Command } from 'commander'
import { makeSecrets } from './secrets/make-secrets.ts'

export function secretsCommand(): Command {
  return new Command('secrets')
    .argument('<directory>', 'where docker-compose.yml looks: ./secrets')
    .option(
      '--cluster',
      'let the product use the EventStoreDB cluster (--profile cluster) instead of the single node',
      false,
    )
    .description('Make the secrets that the containers need, one file each.')
    .addHelpText('after', '\nA file that exists is kept. Needs no database.')
    .action(async (directory: string, options: { readonly cluster: boolean }) => {
      const { made, kept, adminPassword } = await makeSecrets(directory, options)
      if (kept.length > 0) process.stdout.write(`Kept as they were: ${kept.join(', ')}.\n`)
      process.stdout.write(
        made.length === 0 ? 'Nothing was missing.\n' : `Made: ${made.join(', ')}.\n`,
      )
      if (made.includes('master_key'))
        process.stdout.write(
          `Keep a copy of ${directory} elsewhere: without master_key no personal data can be read, not even from a backup.\n`,
        )
      if (adminPassword !== null)
        process.stdout.write(`The administrators' password, shown this once: ${adminPassword}\n`)
    })
}
