/** The zones of most merchants, by the names that people use. */
const common = [
  { zone: 'America/New_York', name: 'Eastern (New York)' },
  { zone: 'America/Chicago', name: 'Central (Chicago)' },
  { zone: 'America/Denver', name: 'Mountain (Denver)' },
  { zone: 'America/Phoenix', name: 'Mountain, no daylight saving time (Phoenix)' },
  { zone: 'America/Los_Angeles', name: 'Pacific (Los Angeles)' },
  { zone: 'America/Anchorage', name: 'Alaska (Anchorage)' },
  { zone: 'Pacific/Honolulu', name: 'Hawaii (Honolulu)' },
  { zone: 'America/Puerto_Rico', name: 'Atlantic (Puerto Rico)' },
  { zone: 'Pacific/Guam', name: 'Chamorro (Guam)' },
  { zone: 'Pacific/Pago_Pago', name: 'Samoa (Pago Pago)' },
]

/** With the current zone, whatever it is: some states have zones of their own. */
export const zoneChoices = (current: string) =>
  common.some(({ zone }) => zone === current)
    ? common
    : [{ zone: current, name: current.replaceAll('_', ' ') }, ...common]
