/** Functions of people ($4 of 70X and 71X, UNIMARC annex C) that a catalogue shows; the others are « Collaborateur ». */
const functions: Readonly<Record<string, string>> = {
  '005': 'Acteur',
  '010': 'Adaptateur',
  '020': 'Annotateur',
  '030': 'Arrangeur',
  '040': 'Artiste',
  '070': 'Auteur',
  '075': 'Postfacier',
  '080': 'Préfacier',
  '090': 'Dialoguiste',
  '100': 'Auteur adapté',
  '180': 'Cartographe',
  '190': 'Chorégraphe',
  '205': 'Collaborateur',
  '210': 'Commentateur',
  '220': 'Compilateur',
  '230': 'Compositeur',
  '245': 'Concepteur',
  '250': 'Chef d’orchestre',
  '275': 'Danseur',
  '300': 'Réalisateur',
  '340': 'Éditeur scientifique',
  '350': 'Graveur',
  '410': 'Coloriste',
  '440': 'Illustrateur',
  '460': 'Interviewé',
  '470': 'Intervieweur',
  '480': 'Librettiste',
  '520': 'Parolier',
  '545': 'Musicien',
  '550': 'Narrateur',
  '590': 'Interprète',
  '600': 'Photographe',
  '610': 'Imprimeur',
  '630': 'Producteur',
  '650': 'Éditeur',
  '651': 'Directeur de publication',
  '690': 'Scénariste',
  '705': 'Sculpteur',
  '721': 'Chanteur',
  '727': 'Directeur de thèse',
  '730': 'Traducteur',
  '755': 'Chanteur',
}

export const functionName = (code: string): string =>
  // A notice may say « constructor », a word of every object.
  (Object.hasOwn(functions, code) ? functions[code] : undefined) ?? 'Collaborateur'

/** Of a name, by which lists of authors may be called; what has no code is told as a collaborator's. */
export const functionCode = (name: string): string =>
  Object.keys(functions).find((code) => functions[code] === name) ?? '205'
