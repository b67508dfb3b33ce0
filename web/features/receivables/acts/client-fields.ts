import { usStates } from '#contracts/profile-options'
import { text, type ActField, type Values } from './act-form.ts'

interface ClientDetails {
  readonly name: string
  readonly number: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly state: string | null
  readonly timeZone: string | null
  readonly note: string | null
}

/** The time zones of the United States. A client in another one keeps it. */
const timeZones = [
  ['America/New_York', 'Eastern'],
  ['America/Chicago', 'Central'],
  ['America/Denver', 'Mountain'],
  ['America/Phoenix', 'Arizona'],
  ['America/Los_Angeles', 'Pacific'],
  ['America/Anchorage', 'Alaska'],
  ['Pacific/Honolulu', 'Hawaii'],
] as const

/** `Pacific`, or the name of another zone. */
export const timeZoneName = (zone: string) => timeZones.find(([name]) => name === zone)?.[1] ?? zone

const choices = (present: string | null) => {
  const known = timeZones.map(([value, label]) => ({ value: value as string, label: `${label}` }))
  const other = present !== null && !known.some(({ value }) => value === present)
  return [
    { value: '', label: 'From the state' },
    ...known,
    ...(other ? [{ value: present, label: present }] : []),
  ]
}

const stateChoices = [
  { value: '', label: 'None' },
  ...usStates.map((value) => ({ value, label: value })),
]

export const clientFields = (client: ClientDetails | null): readonly ActField[] => [
  { kind: 'line', name: 'name', label: 'Name', initial: client?.name ?? '' },
  {
    kind: 'line',
    name: 'number',
    label: 'Your client number',
    optional: true,
    initial: client?.number ?? '',
  },
  {
    kind: 'line',
    type: 'email',
    name: 'email',
    label: 'E-mail',
    optional: true,
    half: true,
    initial: client?.email ?? '',
  },
  {
    kind: 'line',
    type: 'tel',
    name: 'phone',
    label: 'Phone',
    optional: true,
    half: true,
    initial: client?.phone ?? '',
  },
  {
    kind: 'choice',
    name: 'state',
    label: 'State',
    optional: true,
    half: true,
    initial: client?.state ?? '',
    options: stateChoices,
  },
  {
    kind: 'choice',
    name: 'timeZone',
    label: 'Time zone',
    optional: true,
    half: true,
    initial: client?.timeZone ?? '',
    options: choices(client?.timeZone ?? null),
  },
  { kind: 'lines', name: 'note', label: 'Note', optional: true, initial: client?.note ?? '' },
]

export const clientBody = (values: Values) => ({
  name: text(values, 'name'),
  number: text(values, 'number'),
  email: text(values, 'email'),
  phone: text(values, 'phone'),
  state: text(values, 'state'),
  timeZone: text(values, 'timeZone'),
  note: text(values, 'note'),
})
