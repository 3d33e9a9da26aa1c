// Common names of every origin met in a French town; any real person of that name is chance.

const words = (text: string) => text.trim().split(/\s*,\s*/)

export const firstnames = words(`
  Adam, Adèle, Agathe, Aïcha, Alice, Aliénor, Amélie, Amine, Ana, André, Anne-Laure, Anne-Sophie, Antoine, Apolline, Arthur, Aurélien,
  Aya, Baptiste, Béatrice, Benoît, Bérénice, Bernadette, Brigitte, Bruno, Cécile, Céline, Chloé, Christophe, Claire, Clément, Clémence,
  Corentin, Daphné, Denis, Didier, Djibril, Élodie, Éloïse, Émile, Émilie, Emma, Éric, Estelle, Étienne, Eugénie, Fabrice, Fanny, Fatou,
  Félix, Florence, François, Françoise, Frédéric, Gaël, Gaëlle, Gaspard, Gérard, Gisèle, Grégoire, Guillaume, Gwenaël, Hélène, Héloïse,
  Hervé, Hugo, Idriss, Inès, Irène, Isaac, Jacqueline, Jade, Jean-Baptiste, Jean-Luc, Jeanne, Jérémy, Jérôme, Joëlle, Joséphine,
  Juliette, Karim, Kévin, Laëtitia, Laurence, Léa, Léo, Léonie, Léopold, Lilou, Lina, Loïc, Loïse, Louise, Luc, Lucas, Lucie, Maëlle,
  Maël, Maïa, Malik, Manon, Marc-Antoine, Margaux, Marie-Claude, Marie-Hélène, Marion, Mathéo, Mathilde, Maxence, Mehdi, Mélanie,
  Mélissa, Michèle, Mireille, Mohamed, Monique, Naël, Nadège, Nathalie, Nicolas, Noé, Noémie, Nora, Océane, Odile, Ophélie, Oscar,
  Pascal, Paul, Pauline, Philippe, Pierre-Yves, Quentin, Rachid, Raphaël, Régine, Rémi, René, Robin, Romane, Rose, Sabrina, Samuel, Sarah,
  Sébastien, Ségolène, Simone, Sofia, Solène, Stéphane, Suzanne, Sylvie, Théo, Thérèse, Thibault, Thomas, Timothée, Titouan,
  Ulysse, Valérie, Véronique, Victoire, Vincent, Violette, Yacine, Yaël, Yannick, Yasmine, Yves, Zacharie, Zélie`)

export const lastnames = words(`
  Abadie, Alvarez, Amiel, André, Arnaud, Aubert, Azéma, Bachelet, Baptiste, Barbier, Barthès, Baudoin, Bégué, Belkacem, Ben Salah,
  Benoît, Bernard, Bertrand, Besson, Blanc, Bonnet, Bouchard, Boudjemaa, Boyer, Brun, Cabrol, Calvet, Camara, Carrère, Castéra, Castaing,
  Cazaux, Cazeneuve, Chaumeil, Chevalier, Clément, Colin, Costes, Coulibaly, Cros, Da Silva, Daumas, De La Tour, Delmas, Denis,
  Deschamps, Diallo, Diop, Dos Santos, Dubois, Dubreuil-Marty, Duclos, Dumas, Dupuis, Durand, Dutilh, Escande, Espinasse, Estève, Fabre,
  Faure, Fernandez, Ferrand, Fontaine, Fournier, Galy, Garcia, Gaillard, Garrigues, Gauthier, Gayraud, Gérard, Girard, Gomez, Gonzalès,
  Grangé, Guérin, Guibert, Haddad, Hernandez, Huet, Izard, Jacquet, Joly, Jourdan, Julien, Kaddour, Kouassi, L’Hermite, Labat, Laborde,
  Lacaze, Lacoste-Bédat, Lafforgue, Lagarde, Lambert, Larrieu, Lasserre, Laurens, Le Bihan, Le Goff, Lebrun, Leclercq, Lefèvre, Lemaître,
  Leroux, Lévêque, Lopez, Loubère, Maës, Maillard, Malaterre, Marchand, Marestaing, Marquès, Martin, Martinez, Marty, Masson, Mathieu,
  Mauries, Mbaye, Mercier, Meunier, Michaud, Molinié, Monnier, Montagné, Moreau, Morel, Moulin, Muñoz, N’Diaye, Navarro, Nguyen, Noël,
  Nogaro, Ortega, Oudin, Pagès, Paul-Émile, Pelissier, Pérès, Perez, Perrin, Petit, Peyre, Picard, Poncet, Pons, Pradère, Prévost, Puech,
  Pujol, Raynaud, Renard, Rey, Ribes, Rigal, Rivière, Rodrigues, Roques, Roussel, Roux, Ruffié, Saint-Aubin, Saint-Éloi, Salvan, Sanchez,
  Sarda, Sauvage, Ségura, Serres, Sicard, Simon, Soulé, Taïeb, Tessier, Tixier, Traoré, Tran, Vasseur, Verdier, Vergnes, Vidal-Sérié,
  Vignaux, Villemur, Yilmaz, Zerrouki`)

export const streets = words(`
  rue des Tilleuls, rue du Vieux-Puits, allée des Mésanges, avenue de la Brique-Rouge, place du Marché-aux-Herbes, impasse des Glycines,
  rue de l’Écluse, quai des Bateliers, chemin du Lavoir, rue des Teinturiers, boulevard des Platanes, rue de la Halle-aux-Grains`)

export const quarters = words(
  `Saint-Cyprien, Les Minimes, Rangueil, Croix-Daurade, Les Carmes, Lalande, Montaudran, Purpan`,
)

export const jobs = words(`
  Cadre, Architecte, Secrétaire, Fonctionnaire, Journaliste, Libraire, Chimiste, Interprète, Kinésithérapeute, Dentiste, Fleuriste, Guide,
  Graphiste, À la retraite, Sans profession`)

export const messages = [
  'Carte à refaire\u202f: le code est effacé.',
  'A oublié un parapluie, gardé à l’accueil.',
  'Justificatif de domicile à demander.',
  'Préfère les livres en gros caractères.',
  'Nouvelle adresse à noter.',
  'Un livre abîmé à remplacer\u202f: en attente de sa réponse.',
  'Portage à domicile le jeudi.',
  'Les prêts des enfants sont rendus par la grand-mère.',
  'Malvoyante\u202f: proposer les livres audio.',
  'Photo à faire signer pour l’atelier.',
]

export const collectivities = words(`
  École des Acacias, École du Canal, École Jeanne-Barret, École des Minimes, Collège du Lac, Crèche Les Moineaux, Crèche Pomme d’Api,
  Centre de loisirs du Parc, Maison de retraite Les Tilleuls, Foyer Saint-Cyprien, Association Lire en ville, Lycée des Coteaux`)

/** With their postcodes, by the status of who lives there. */
export const communes: Record<string, readonly (readonly [name: string, postcode: string])[]> = {
  Commune: [['Toulouse', '31000']],
  Métropole: [
    ['Blagnac', '31700'],
    ['Colomiers', '31770'],
    ['Tournefeuille', '31170'],
    ['Balma', '31130'],
    ['L’Union', '31240'],
  ],
  'Hors métropole': [
    ['Muret', '31600'],
    ['Grenade', '31330'],
    ['Fronton', '31620'],
  ],
}
