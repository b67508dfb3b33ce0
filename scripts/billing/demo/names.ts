/** Names of invented persons. */
export const givenNames = [
  'Dana',
  'Rosa',
  'Tom',
  'Nina',
  'Oscar',
  'Lena',
  'Ivan',
  'Maya',
  'Hugo',
  'Pia',
  'Sam',
  'Vera',
  'Karl',
  'Elif',
  'Jon',
]

export const familyNames = [
  'Whitlock',
  'Delmonte',
  'Lindqvist',
  'Castellanos',
  'Osei',
  'Harbor',
  'Kestrel',
  'Alder',
  'Frost',
  'Quist',
  'Birch',
  'Moss',
]
