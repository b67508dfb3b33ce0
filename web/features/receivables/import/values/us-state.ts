import { usStates, type UsState } from '#contracts/profile-options'

/** The codes of the postal service, in the order of `usStates`. */
const codes =
  'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR VI'.split(
    ' ',
  )
const otherNames: ReadonlyMap<string, UsState> = new Map([
  ['washington dc', 'District of Columbia'],
  ['virgin islands', 'U.S. Virgin Islands'],
])

/** A state by its name or its code: `Oregon`, `OR`, `Ore.` is none. */
export function usStateNamed(text: string): UsState | null {
  const name = plain(text)
  const index = codes.findIndex((code) => code.toLowerCase() === name)
  return (
    usStates[index] ??
    usStates.find((state) => plain(state) === name) ??
    otherNames.get(name) ??
    null
  )
}

const plain = (text: string) => text.toLowerCase().replace(/[.,]/g, '').replace(/\s+/g, ' ').trim()
