/** A site's first word tells its gender: « la Médiathèque Cabanis », « le Bibliobus ». */
const feminine =
  /^(?:annexe|antenne|artothèque|bibliothèque|école|ludothèque|mairie|maison|médiathèque|réserve|salle|section)(?!\p{L})/iu
const masculine =
  /^(?:bibliobus|centre|collège|dépôt|espace|fonds|hôpital|kiosque|local|lycée|magasin|point|pôle|relais|secteur|siège|site)(?!\p{L})/iu

/** « à l’Annexe », « au Bibliobus », « aux Minimes », « à Montpellier ». */
export function atSite(name: string): string {
  const [, article, own] = /^(les?)\s+(.+)$/i.exec(name) ?? []
  if (article !== undefined) return `${article.toLowerCase() === 'les' ? 'aux' : 'au'} ${own}`
  const isFeminine = feminine.test(name)
  if (!isFeminine && !masculine.test(name)) return `à ${name}`
  if (/^[aeéhio]/i.test(name)) return `à l’${name}`
  return isFeminine ? `à la ${name}` : `au ${name}`
}
