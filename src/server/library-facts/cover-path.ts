import { sql } from 'kysely'

/** What was found for a reference `r` that has no image of its own, as long as its code and its medium's rule are those it was found by. */
const isShown = sql`f.reference = r.id and f.image_version is not null and f.code = r.code and exists (
    select from media_images_sources i
    where i.medium = r.medium and f.source = any(string_to_array(i.rule, ',')))`

export const shownFoundImages = sql`found_images f on r.image_version is null and ${isShown}`

const address = sql`'/api/image/references/' || r.id || '?v='`

/** Where the image of a reference `r` is, beside `shownFoundImages`. */
export const coverPathBesideFound = sql<
  string | null
>`${address} || coalesce(r.image_version, f.image_version)`

/** The same of a row that has its reference `r` alone. */
export const coverPath = sql<string | null>`${address} || coalesce(r.image_version,
  (select f.image_version from found_images f where ${isShown}))`
