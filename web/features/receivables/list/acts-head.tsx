interface ActsHeadProps {
  readonly titles: readonly string[]
}

/** The head of a table without an order to choose. The last column has the acts. */
export function ActsHead({ titles }: ActsHeadProps) {
  return (
    <thead role="rowgroup">
      <tr role="row">
        {titles.map((title) => (
          <th key={title} role="columnheader" scope="col">
            {title}
          </th>
        ))}
        <th role="columnheader" scope="col">
          <span className="sr-only">Acts</span>
        </th>
      </tr>
    </thead>
  )
}
