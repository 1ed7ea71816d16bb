import { Fragment } from 'react'

/** The path of a file. Lines break after slashes. */
export const PathText = ({ path }: { path: string }) => (
  <code>
    {path.split(/(?<=\/)/).map((part, at) => (
      <Fragment key={path.split('/', at + 1).join('/')}>
        {at > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </code>
)
