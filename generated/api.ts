/** Made from spec/ by `npm run generate`; never edit it. */

export interface paths {
    "/creators/{network}/{handle}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one creator
         * @description Answers 200 with the creator when it is held, 202 while it is being discovered, 404 with a reason when it cannot be obtained. Reading is what starts the discovery, and reading again is how its end is seen: there is no job to poll. A stale creator is answered as it is while a refresh runs (STA-02). Unknown query parameters are ignored (GEN-06).
         */
        get: operations["getCreator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/creators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read up to 100 creators
         * @description Always answers 200, with each identifier in one of three buckets (CRB-01, CRB-02). What concerns one identifier never becomes an HTTP error. A batch counts as one request, whatever its size (RAT-05). Entries never carry `posts`, and `include` is ignored (CRB-03, GEN-06).
         */
        get: operations["listCreators"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/creators/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read up to 100 creators, with a body
         * @description The same as the list form in every observable way (CRB-07), for identifiers that are too many or too long for a query. Beyond it, `creatorDeepAnalysis` asks to ingest the accounts' other recent posts too (CRB-09).
         */
        post: operations["batchCreators"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/posts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one post by URL, or up to 100 by identifier
         * @description Two forms that exclude one another. `url` reads one post: 200, 202 or 404, as for a creator (PST-01). `ids` reads a batch: always 200 with three buckets, never 202 (PST-02). Both, or neither, is refused with 400 (PST-03). A post may take longer to discover than an account, as the author's recent media may have to be walked.
         */
        get: operations["getPosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/posts/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read up to 100 posts, with a body
         * @description The same as `GET /posts?ids=` in every observable way (CRB-07), but there is no `include`: one in the body is ignored, and no post carries `analysis` (PST-06). `creatorDeepAnalysis` applies to the posts' authors.
         */
        post: operations["batchPosts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Enrichment of a post by AI. A key is present exactly when `include` named it, even when its value is null; one that was not named is absent (PST-04). Coverage and shape are outside the v1 compatibility promise: this is how they are today (DOC-12). */
        Analysis: {
            /** @description What is seen to happen, told in prose. */
            narration?: string | null;
            /** @description What is said. */
            transcript?: string | null;
            /** @description Texts laid over the picture, in the order in which they were detected. */
            overlayText?: string[] | null;
            /** @description Languages of the post, as free-text labels. */
            languages?: string[] | null;
            /** @description Words for the look of the post. */
            aestheticTags?: string[] | null;
            /** @description Risk for a brand, by category; null when not judged yet, or when the judgement no longer fits the current taxonomy (DOC-11). */
            brandSafety?: components["schemas"]["BrandSafety"] | null;
            /** @description What the post promotes; unobserved, the object with null members (DOC-05). */
            commercialAnalysis?: components["schemas"]["CommercialAnalysis"];
            /** @description How the post feels; unobserved, the object with null members (DOC-05). */
            emotionalAnalysis?: components["schemas"]["EmotionalAnalysis"];
            /** @description How the post is made; unobserved, the object with null members (DOC-05). */
            productionAnalysis?: components["schemas"]["ProductionAnalysis"];
            /** @description The mood of the post: any JSON, of no fixed shape (DOC-12). */
            vibeAnalysis?: unknown;
            /** @description What and who is in the post: any JSON, of no fixed shape (DOC-12). */
            subjectAnalysis?: unknown;
            /**
             * @description Sentiment of the comments as a whole, in one word.
             * @enum {string|null}
             */
            commentSentimentLabel?: "positive" | "neutral" | "negative" | "mixed" | null;
            /** @description Sentiment of the comments as a whole, as a number. */
            commentSentimentScore?: number | null;
            /** @description Summary of what the comments say. */
            commentSentimentSummary?: string | null;
            /** @description Why the label and score are what they are. */
            commentSentimentRationale?: string | null;
            /** @description Themes that the comments turn on. */
            commentSentimentThemes?: string[] | null;
            /** @description Comments by sentiment; null when not judged (DOC-05). */
            commentSentimentBreakdown?: components["schemas"]["CommentSentimentBreakdown"] | null;
            /** @description How many comments were considered. */
            commentSentimentTotalCommentCount?: number | null;
            /** @description How many of those were judged to bear on the post. */
            commentSentimentRelevantCommentCount?: number | null;
        };
        /** @description Body of both batch operations; the same as the query of the list form (CRB-07). Fields that are not named here, such as `include`, are ignored (GEN-06); null for an optional one is refused (IDS-14). */
        BatchRequest: {
            /**
             * @description 1 to 100 identifiers, in the grammar that `ids` of the list form describes, but not split at commas. An empty or blank one is dropped before they are counted (IDS-10); over the cap is refused with 400, never cut (IDS-05). The cap counts repeats (IDS-11).
             * @example [
             *       "ada.builds",
             *       "netB:ada.builds"
             *     ]
             */
            ids: string[];
            /**
             * @description Network of bare identifiers, those that name none themselves; never a filter (IDS-02). Empty means the default (ORG-09).
             * @default netA
             * @example netA
             * @example netB
             */
            network?: string;
            /**
             * @description Slug of the organization to act for, when it is not the credential's own; see the query parameter `asOrg` (ORG-08).
             * @example northwind-agency
             */
            asOrg?: string;
            /**
             * @description Slug of one of the caller's profiles that the work is attributed to; see the query parameter `asProfile` (ORG-08).
             * @example spring-campaign
             */
            asProfile?: string;
            /**
             * @description Also ingest the other recent posts of each account, in a batch of posts those of their authors (CRB-09, PST-06). Once true it stays on for the account's later look-ups and scheduled refreshes for 7 days, counted from the last true; false or nothing neither ends nor extends it (CRB-10).
             * @default false
             */
            creatorDeepAnalysis?: boolean;
        };
        /** @description Risk of appearing beside the post, in twelve categories, each one of three grades (DOC-11). */
        BrandSafety: {
            /**
             * @description Adult and sexual content.
             * @enum {string}
             */
            adult_content: "High Risk" | "Medium Risk" | "Low Risk";
            /**
             * @description Arms and ammunition.
             * @enum {string}
             */
            arms_ammunition: "High Risk" | "Medium Risk" | "Low Risk";
            /**
             * @description Crime and acts that harm people or society.
             * @enum {string}
             */
            crime_harmful_acts: "High Risk" | "Medium Risk" | "Low Risk";
            /**
             * @description Death and injury.
             * @enum {string}
             */
            death_injury: "High Risk" | "Medium Risk" | "Low Risk";
            /**
             * @description Online piracy.
             * @enum {string}
             */
            online_piracy: "High Risk" | "Medium Risk" | "Low Risk";
            /**
             * @description Hate speech.
             * @enum {string}
             */
            hate_speech: "High Risk" | "Medium Risk" | "Low Risk";
            /**
             * @description Obscenity and profanity.
             * @enum {string}
             */
            obscenity_profanity: "High Risk" | "Medium Risk" | "Low Risk";
            /**
             * @description Illegal drugs.
             * @enum {string}
             */
            illegal_drugs: "High Risk" | "Medium Risk" | "Low Risk";
            /**
             * @description Spam and harmful software or sites.
             * @enum {string}
             */
            spam_harmful: "High Risk" | "Medium Risk" | "Low Risk";
            /**
             * @description Terrorism.
             * @enum {string}
             */
            terrorism: "High Risk" | "Medium Risk" | "Low Risk";
            /**
             * @description Sensitive social issues under debate.
             * @enum {string}
             */
            debated_sensitive_social_issue: "High Risk" | "Medium Risk" | "Low Risk";
            /**
             * @description Misinformation.
             * @enum {string}
             */
            misinformation: "High Risk" | "Medium Risk" | "Low Risk";
        };
        /** @description One account of a creator on one network, as it was when the snapshot was made. */
        Channel: {
            /**
             * @description The network that the account is on. Open vocabulary: more networks may come without a new version (GEN-08).
             * @example netA
             * @example netB
             */
            network: string;
            /**
             * @description The network's own id of the account; it stays the same while the account lives, also when the handle changes.
             * @example 17841400455970028
             */
            externalId: string | null;
            /**
             * @description The current handle, without `@`.
             * @example ada.builds
             */
            username: string | null;
            /** @description How many accounts follow this one. */
            followersCount: number | null;
            /** @description Whether the account is verified, as far as this API can attest. netB: the network's own flag. netA: taken only from a successful look-up in the partner marketplace, so `false` also stands for accounts the marketplace says nothing of (business accounts, or an organization without marketplace credentials: DOC-13). Never null (DOC-04). */
            verified: boolean;
            /**
             * @description Country of the account.
             * @example US
             * @example DE
             */
            country: string | null;
            /** @description What netA tells of the account. Always there; on a channel of another network every key is present and unobserved: null, and the three plain booleans `false` (DOC-03). */
            netA: components["schemas"]["NetAChannel"];
            /** @description What netB tells of the account. Always there; on a channel of another network every key is present and null (DOC-03). */
            netB: components["schemas"]["NetBChannel"];
            /**
             * Format: date-time
             * @description When this snapshot was produced, ISO 8601 with a time zone (GEN-05): how fresh the data is.
             */
            updatedAt: string | null;
        };
        /** @description The comments judged, by sentiment. */
        CommentSentimentBreakdown: {
            /** @description The positive comments. */
            positive: {
                /** @description How many comments are positive. */
                count: number;
                /** @description Share of comments that are positive, in percent. */
                percentage: number;
            };
            /** @description The neutral comments. */
            neutral: {
                /** @description How many comments are neutral. */
                count: number;
                /** @description Share of comments that are neutral, in percent. */
                percentage: number;
            };
            /** @description The negative comments. */
            negative: {
                /** @description How many comments are negative. */
                count: number;
                /** @description Share of comments that are negative, in percent. */
                percentage: number;
            };
        };
        /** @description What the post promotes. Every key is present, and null when not observed. */
        CommercialAnalysis: {
            /** @description Products shown or named. */
            featuredProducts: string[] | null;
            /** @description Brands shown or named. */
            featuredBrands: string[] | null;
            /** @description What viewers are asked to do. */
            callToActions: string[] | null;
            /** @description Promotion codes shown or named. */
            promoCodes: string[] | null;
            /** @description How much the post means to promote, from 1 (not at all) to 5 (an advertisement). */
            promotionalIntent: number | null;
        };
        /** @description One creator, told as the channels it has (DOC-02). */
        Creator: {
            /** @description The accounts of this creator: at least one. The order means nothing. Today there is always exactly one; a client must accept more (DOC-02). */
            channels: [
                components["schemas"]["Channel"],
                ...components["schemas"]["Channel"][]
            ];
            /** @description Recent posts that the service holds, newest first; may be empty (CRE-08). Present only on the single read with `include=posts`, otherwise the key is absent, not empty (CRE-06). Posts are not split by channel: `author.accountId` equals the `externalId` of the channel that a post belongs to (DOC-09). */
            posts?: components["schemas"]["CreatorPost"][];
        };
        /** @description Answer of a batch read of creators, always with status 200. Every identifier submitted is in exactly one of the three buckets (CRB-02), and all three are always there (CRB-01). */
        CreatorBatch: {
            /** @description The creators that are held, in no particular order. An entry does not repeat the identifier; correlate by its network, external id or username. */
            data: components["schemas"]["CreatorEntry"][];
            /** @description Identifiers whose discovery has been started or joined: send the same request again after the wait. */
            fetching: components["schemas"]["FetchingEntry"][];
            /** @description Identifiers that cannot be obtained, each with its reason. */
            unavailable: components["schemas"]["UnavailableEntry"][];
        };
        /** @description A creator as an entry of a batch: the same as `Creator`, but never with `posts`, whatever `include` said (CRB-03). It does not repeat the identifier that was submitted; tell it by its channel's `network`, `externalId` or `username`. */
        CreatorEntry: {
            /** @description The accounts of this creator: at least one, in no particular order; today always exactly one (DOC-02). */
            channels: [
                components["schemas"]["Channel"],
                ...components["schemas"]["Channel"][]
            ];
            posts?: never;
        };
        /** @description A post inside `Creator.posts`: the core fields alone. Read the post itself for all the others. Every key is present (DOC-01). */
        CreatorPost: {
            /**
             * @description The network that the post is on. Open vocabulary (GEN-08).
             * @example netA
             * @example netB
             */
            network: string | null;
            /** @description The network's own id of the post. */
            externalId: string | null;
            /** @description Public permalink of the post. */
            url: string | null;
            /**
             * Format: date-time
             * @description When the post was published, ISO 8601 with a time zone (GEN-05).
             */
            postedAt: string | null;
            /** @description The caption. */
            text: string | null;
            /**
             * @description What the post is made of, the mapped media type: the same words as in `Post`.
             * @example video
             * @example image
             * @example carousel
             */
            mediaKind: string | null;
            /** @description One entry per media node, in their order; a carousel has several, and it is empty while none is known (DOC-10). */
            media: components["schemas"]["Media"][];
            /** @description Likes in all. */
            likeCount: number | null;
            /** @description Comments in all. */
            commentCount: number | null;
            /** @description Views in all. */
            viewCount: number | null;
            /** @description Organic shares, so without those from ads; null where the network reports none. */
            shareCount: number | null;
            /** @description How often the post was saved or bookmarked, organic and paid together. */
            saveCount: number | null;
            /** @description Who published the post. */
            author: components["schemas"]["CreatorPostAuthor"];
        };
        /** @description The author of a post inside `Creator.posts`. */
        CreatorPostAuthor: {
            /** @description Equals the `externalId` of one of the creator's channels: that is the channel the post belongs to. Never null, so a creator whose `externalId` is not known has no posts (DOC-09). */
            accountId: string;
            /** @description The author's handle, without `@`. */
            username: string | null;
            /** @description How many accounts follow the author. */
            followersCount: number | null;
            /** @description As the channel's `verified`; never null. */
            verified: boolean;
            /** @description Country of the author. */
            country: string | null;
        };
        /** @description Answer of the single creator read when the creator is held (CRE-01). */
        CreatorResponse: {
            /** @description The creator. */
            data: components["schemas"]["Creator"];
        };
        /** @description Error envelope of status 503. The credential could be neither accepted nor rejected, since what is needed to verify it does not answer (AUT-08). */
        DependencyUnavailableError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description Stable and for programs: status 503 always has this code, and this code always that status (ERR-02).
                 * @constant
                 */
                code: "dependency-unavailable";
                /** @description Prose for people; it may change at any time, so never parse it. */
                message: string;
            };
        };
        /** @description How the post feels. Every key is present, and null when not observed. */
        EmotionalAnalysis: {
            /** @description The emotion that prevails. */
            primaryEmotion: string | null;
            /** @description Words for the tone. */
            tone: string[] | null;
        };
        /** @description Why a single read found nothing (ERR-01). */
        ErrorDetails: {
            /**
             * @description Why it cannot be obtained. Open vocabulary, the same in batches and errors; treat one you do not know as terminal unless `retryable` is true (GEN-08). Today: `account-not-discoverable` (creators: a personal account or none, which cannot be told apart), `not-supported-on-network` (the network is not supported yet), `outside-recent-media-window` (posts: not among the recent media of its author), `author-unresolved` (posts: its author cannot be found), `unparseable-identifier` (no identifier at all, or of another kind), `internal-error` (our fault, with `retryable`).
             * @example account-not-discoverable
             * @example not-supported-on-network
             * @example outside-recent-media-window
             * @example author-unresolved
             * @example unparseable-identifier
             * @example internal-error
             */
            reason: string;
            /**
             * @description Present, and then true, only when the failure was on the service's side: ask again in a few minutes (STA-05). Absent: terminal (CRB-06).
             * @constant
             */
            retryable?: true;
        };
        /** @description An identifier whose entity is being discovered. */
        FetchingEntry: {
            /** @description The identifier exactly as submitted: in a query after the split at commas and the trim (CRB-05); in a single read the handle or the URL, decoded (CRE-09). */
            id: string;
            /**
             * Format: date-time
             * @description The instant from which asking again makes sense, ISO 8601 with a time zone: the same in all entries of one response, and within 1 s of what `Retry-After` says (CRB-04). Asking sooner spends budget and returns nothing sooner (STA-04).
             */
            retryAfter: string;
        };
        /** @description Answer of a single read, with status 202, while the entity is being discovered (CRE-02). A list only so that it looks like the bucket of a batch: it has exactly one entry. */
        FetchingResponse: {
            /** @description The one entity being discovered. */
            fetching: [
                components["schemas"]["FetchingEntry"]
            ];
        };
        /** @description Error envelope of status 403. The credential is valid, but lacks the scope, or any role in the organization that `asOrg` names. */
        ForbiddenError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description Stable and for programs: status 403 always has this code, and this code always that status (ERR-02).
                 * @constant
                 */
                code: "forbidden";
                /** @description Prose for people; it may change at any time, so never parse it. */
                message: string;
            };
        };
        /** @description Error envelope of status 500. A fault of the service; the message tells nothing of it (ERR-04). */
        InternalError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description Stable and for programs: status 500 always has this code, and this code always that status (ERR-02).
                 * @constant
                 */
                code: "internal-error";
                /** @description Prose for people; it may change at any time, so never parse it. */
                message: string;
            };
        };
        /** @description Error envelope of status 400. The request is not one that the contract allows. */
        InvalidInputError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description Stable and for programs: status 400 always has this code, and this code always that status (ERR-02).
                 * @constant
                 */
                code: "invalid-input";
                /** @description Prose for people; it may change at any time, so never parse it. */
                message: string;
            };
        };
        /** @description One media node of a post. The two URLs are resolved independently of one another (DOC-10). */
        Media: {
            /** @description URL of the image or video; null while the asset is not available (not archived yet, or no CDN is configured). */
            mediaUrl: string | null;
            /** @description URL of the preview image; null while it is not available. */
            thumbnailUrl: string | null;
        };
        /** @description One account that a post of netA mentions. */
        Mention: {
            /** @description Handle of the account mentioned. */
            username: string;
            /**
             * @description How it is mentioned. Closed: one of these five (DOC-08).
             * @enum {string}
             */
            type: "TAG" | "CAPTION" | "STORY" | "COLLAB" | "PAID_PARTNERSHIP";
            /** @description Whether the handle could be resolved to a known account. */
            resolved: boolean;
            /** @description State of the invitation that goes with the mention (a collaboration, for example), in the network's own word; null where there is none. */
            inviteStatus: string | null;
        };
        /** @description Error envelope of status 405. The path has no such method. */
        MethodNotAllowedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description Stable and for programs: status 405 always has this code, and this code always that status (ERR-02).
                 * @constant
                 */
                code: "method-not-allowed";
                /** @description Prose for people; it may change at any time, so never parse it. */
                message: string;
            };
        };
        /** @description The netA part of a channel. Every key is present except the two opaque groups; what has not been observed is null, but `isPaidPartnershipMessagesEnabled`, `hasProfilePic` and `isPublished` say `false` then (DOC-04). */
        NetAChannel: {
            /** @description Name shown on the profile; not the handle. */
            name: string | null;
            /** @description Text of the profile's bio. */
            biography: string | null;
            /** @description Link on the profile, as an URL. */
            website: string | null;
            /** @description URL of the current profile picture. */
            profilePictureUrl: string | null;
            /** @description How many accounts this creator follows. */
            followsCount: number | null;
            /** @description How many posts the account has in all. */
            mediaCount: number | null;
            /**
             * @description Gender of the creator. Open vocabulary: commonly `male`, `female` or `unknown`, others may appear (GEN-08).
             * @example male
             * @example female
             * @example unknown
             */
            gender: string | null;
            /**
             * @description Age of the creator in years, as a range, or `unknown`. Open vocabulary: other ranges may appear (GEN-08).
             * @example 18-24
             * @example 25-34
             * @example unknown
             */
            ageBucket: string | null;
            /** @description Whether the creator has been onboarded to the partner marketplace. */
            onboardedStatus: boolean | null;
            /** @description URL of the creator's portfolio. */
            portfolioUrl: string | null;
            /** @description Contact e-mail address on file. Nobody has verified it and its form is not checked. */
            email: string | null;
            /** @description Whether the creator takes paid-partnership messages through the marketplace; `false` also where the marketplace does not cover the account or was not asked (DOC-04, DOC-13). */
            isPaidPartnershipMessagesEnabled: boolean;
            /** @description Whether the creator worked with a brand in the past year, by branded content or partnership ads. */
            hasBrandPartnershipExperience: boolean | null;
            /** @description Names of the brands that the creator worked with in the past year. */
            pastBrandPartnershipPartners: string[] | null;
            /** @description Badges of the account: opaque words, an open vocabulary (GEN-08). */
            badges: string[] | null;
            /** @description Distinct accounts reached, by the account's own insights, over a rolling window of about 30 days. */
            reach: number | null;
            /** @description Distinct accounts reached, by the marketplace: month to date, starting anew with each calendar month. Not comparable with `reach`. */
            creatorMarketplaceReach: number | null;
            /** @description Whether the profile has a picture; `false` also where the source tells no value, which only page-backed accounts have (DOC-04). */
            hasProfilePic: boolean;
            /** @description Whether the profile is published; `false` also where the source tells no value, which only page-backed accounts have (DOC-04). */
            isPublished: boolean;
            /** @description Distinct accounts that engaged with the creator's content. The window is commonly the calendar month to date; that is not guaranteed. */
            creatorEngagedAccounts: number | null;
            /**
             * @description Interactions per reel view in percent: 7.2 means 7.2 %. The window is commonly the last 90 days, rolling; that is not guaranteed.
             * @example 7.2
             */
            reelsInteractionRate: number | null;
            /**
             * @description Viewers of reels who stayed past the opening seconds, in percent: 42 means 42 %. The window is commonly the last 90 days, rolling; that is not guaranteed.
             * @example 42
             */
            reelsHookRate: number | null;
            /** @description Demographics of the engaged audience, by country, city, gender, age, and age with gender. Present only while the service holds a live grant with the audience-insights scope for the account (DOC-14). Outside the v1 compatibility promise, so nothing inside is constrained (DOC-12). Normalized (DOC-15): gender is `male`, `female` or `unknown`, a country an ISO 3166-1 alpha-2 code, the state in a city a two-letter USPS abbreviation; a result has a count, a percentage, both, or neither where the source gave no value. Results need not be complete: with age, gender, and both together, a missing cell may be zero or withheld, and nothing tells which. */
            audienceDemographics?: unknown;
            /** @description `creatorEngagedAccounts` broken down by gender, age, top countries and top cities. Present only when the marketplace found the creator and returned at least one breakdown. Outside the v1 compatibility promise, so nothing inside is constrained (DOC-12). Normalized as `audienceDemographics` (DOC-15), but a result has at most a percentage, the source's own share of the total, and never a count. */
            creatorEngagedAccountsBreakdowns?: unknown;
        };
        /** @description The netA part of a post. Every key is present; what has not been observed is null, or empty for an array (DOC-03). `organic…` counts leave out what ads brought, `total…` counts hold both. */
        NetAPost: {
            /** @description Numeric id of the media, as text. */
            netAMediaId: string | null;
            /** @description The author's user id within netA. */
            netAUserId: string | null;
            /** @description The author's handle; `author.username` of the post is the one to rely on. */
            authorUsername: string | null;
            /** @description Short code that stands in the permalink; case matters (IDS-12). */
            shortcode: string | null;
            /**
             * @description The network's own media type; `mediaKind` of the post is the mapped value.
             * @example VIDEO
             * @example IMAGE
             * @example CAROUSEL_ALBUM
             */
            mediaType: string | null;
            /**
             * @description Where the sound comes from: `MUSIC` or `ORIGINAL_SOUND`.
             * @example MUSIC
             * @example ORIGINAL_SOUND
             */
            mediaAudioType: string | null;
            /**
             * @description Which product it was published as: a feed post, a reel or a story, in the network's own word.
             * @example FEED
             * @example REELS
             * @example STORY
             */
            mediaProductType: string | null;
            /** @description Reels only: true, it may appear in the feed and in the reels tab; false, in the reels tab alone. */
            isSharedToFeed: boolean | null;
            /** @description Equals `url` of the post (DOC-06). */
            permalink: string | null;
            /** @description Equals `text` of the post (DOC-06). */
            caption: string | null;
            /** @description Likes, organic and paid; equals `likeCount` of the post (DOC-06). */
            totalLikeCount: number | null;
            /** @description Comments, organic and paid; equals `commentCount` of the post (DOC-06). */
            totalCommentCount: number | null;
            /** @description Views, organic and paid; equals `viewCount` of the post (DOC-06). */
            totalViewCount: number | null;
            /** @description Likes, organic only. */
            organicLikeCount: number | null;
            /** @description Comments, organic only. */
            organicCommentCount: number | null;
            /** @description Views, organic only. */
            organicViewCount: number | null;
            /** @description Reposts, organic only. */
            organicRepostCount: number | null;
            /** @description Saves, organic only. */
            organicSaveCount: number | null;
            /** @description Shares, organic only. */
            organicShareCount: number | null;
            /** @description Distinct accounts that saw the post without an ad. */
            organicReach: number | null;
            /** @description Organic likes, comments, saves and shares together; their sum where all four are observed (DOC-07). */
            organicTotalInteractions: number | null;
            /** @description Accounts that began to follow right from this post. */
            organicFollows: number | null;
            /** @description Visits to the profile that this post led to. */
            organicProfileVisits: number | null;
            /** @description What visitors coming from this post did on the profile: taps on the bio link, call, direction, e-mail or text buttons. Feed and story posts. */
            organicProfileActivity: number | null;
            /** @description Views of the copy posted to the sibling network. */
            organicFacebookViews: number | null;
            /** @description Plays on both networks together. Reels only. */
            organicCrosspostedViews: number | null;
            /** @description Average time watched per view, as the network reports it. Reels only. */
            organicNetAReelsAvgWatchTime: number | null;
            /** @description Time watched over all views, as the network reports it. Reels only. */
            organicNetAReelsVideoViewTotalTime: number | null;
            /** @description Clicks on a link in the post, for example a story's link sticker. */
            organicLinkClicks: number | null;
            /** @description Exits, taps forward, taps back and moves to the next story, together. Story posts. */
            organicNavigation: number | null;
            /** @description Replies to the story, organic only. */
            organicReplies: number | null;
            /** @description How often viewers left the story, organic only. */
            organicExits: number | null;
            /** @description Taps to skip ahead, organic only. */
            organicTapsForward: number | null;
            /** @description Taps to go back, organic only. */
            organicTapsBack: number | null;
            /** @description The hashtags of the caption (DOC-08); empty when there are none. */
            hashtags: string[];
            /** @description The accounts that the post mentions; empty when there are none. */
            mentions: components["schemas"]["Mention"][];
        };
        /** @description The netB part of a channel. Every key is present, and null when not observed (DOC-03). */
        NetBChannel: {
            /** @description Name shown on the profile; not the handle. */
            displayName: string | null;
            /** @description Text of the profile's bio. */
            bioDescription: string | null;
            /** @description URL of the profile picture. */
            profileImage: string | null;
            /** @description Whether it is a business account. */
            isBusinessAccount: boolean | null;
            /** @description How many accounts this creator follows. */
            followingCount: number | null;
            /** @description How many videos the account has published. */
            videosCount: number | null;
            /** @description Likes of all videos together. */
            cumulativeLikes: number | null;
            /** @description Median number of views over the recent videos. */
            medianViews: number | null;
            /** @description Engagement rate of the account, as the network reports it. */
            engagementRate: number | null;
            /** @description What a sponsored post costs by the network's own estimate, in `creatorPriceCurrency`. */
            creatorPrice: number | null;
            /**
             * @description Currency of `creatorPrice`.
             * @example USD
             * @example EUR
             */
            creatorPriceCurrency: string | null;
            /** @description The creator's own listed rate for sponsored content; null when none is published or it was not observed (DOC-05). */
            creatorRate: {
                /**
                 * @description Currency of `rate`.
                 * @example USD
                 */
                currency: string;
                /** @description The listed price of one sponsored content, in `currency`. */
                rate: number;
            } | null;
            /** @description Industries that the network assigns to the account. */
            industryLabels: {
                /** @description The network's id of the label. */
                labelId: string;
                /** @description The label, for people. */
                labelName: string;
            }[] | null;
            /** @description Kinds of content that the network assigns to the account. */
            contentLabels: {
                /** @description The network's id of the label. */
                labelId: string;
                /** @description The label, for people. */
                labelName: string;
            }[] | null;
            /** @description The audience by gender. */
            audienceGenders: {
                /**
                 * @description Gender; an open vocabulary (GEN-08).
                 * @example male
                 * @example female
                 * @example unknown
                 */
                gender: string;
                /** @description Share of the audience, in percent. */
                percentage: number;
            }[] | null;
            /** @description The audience by age. */
            audienceAges: {
                /**
                 * @description Age range in years; an open vocabulary (GEN-08).
                 * @example 18-24
                 * @example 25-34
                 */
                age: string;
                /** @description Share of the audience, in percent. */
                percentage: number;
            }[] | null;
            /** @description The audience by country. */
            audienceCountries: {
                /**
                 * @description Country.
                 * @example US
                 * @example DE
                 */
                country: string;
                /** @description Share of the audience, in percent. */
                percentage: number;
            }[] | null;
            /** @description The audience by device. */
            audienceDevices: {
                /** @description Device or operating system. */
                device: string;
                /** @description Share of the audience, in percent. */
                percentage: number;
            }[] | null;
            /** @description The audience by use of the network. */
            audienceUsages: {
                /** @description How active the viewers are on the network. */
                usage: string;
                /** @description Share of the audience, in percent. */
                percentage: number;
            }[] | null;
        };
        /** @description The netB part of a post. Every key is present except `audienceDistributions`; what has not been observed is null (DOC-03). */
        NetBPost: {
            /** @description Id of the video; equals `externalId` of the post, which is the one to rely on (DOC-06). */
            netBVideoId: string | null;
            /** @description Opaque id of the creator that differs from app to app; `author.accountId` of the post is the one to rely on. */
            netBCreatorOpenId: string | null;
            /** @description The creator's handle, as this source tells it. */
            creatorHandleName: string | null;
            /** @description The caption, as this source tells it. */
            caption: string | null;
            /** @description Ad campaign that the post is attributed to. */
            campaignId: string | null;
            /** @description Id of the anchor attached to the video, such as a product or link sticker. */
            anchorId: string | null;
            /** @description Views, organic and paid; equals `viewCount` of the post (DOC-06). */
            totalViewCount: number | null;
            /** @description Views, organic only. */
            organicViewCount: number | null;
            /** @description Views that ads brought. */
            paidViewCount: number | null;
            /** @description Distinct accounts that saw the video. */
            reachCount: number | null;
            /** @description Views from the recommendations ("for you") feed. */
            forYouViewCount: number | null;
            /** @description Views from the feed of accounts followed. */
            followingViewCount: number | null;
            /** @description Views from search. */
            searchViewCount: number | null;
            /** @description Views from the page of the sound used. */
            soundViewCount: number | null;
            /** @description Views from the page of a hashtag. */
            hashtagViewCount: number | null;
            /** @description Views from the creator's profile. */
            personalProfileViewCount: number | null;
            /** @description Views whose source the network does not attribute. */
            unknownSourceViewCount: number | null;
            /** @description Views from any other source. */
            otherSourceViewCount: number | null;
            /** @description Likes, organic and paid; equals `likeCount` of the post (DOC-06). */
            totalLikeCount: number | null;
            /** @description Likes, organic only. */
            organicLikeCount: number | null;
            /** @description Likes that ads brought. */
            paidLikeCount: number | null;
            /** @description Comments, organic and paid; equals `commentCount` of the post (DOC-06). */
            totalCommentCount: number | null;
            /** @description Comments, organic only. */
            organicCommentCount: number | null;
            /** @description Comments that ads brought. */
            paidCommentCount: number | null;
            /** @description Shares, organic and paid. */
            totalShareCount: number | null;
            /** @description Shares, organic only; equals `shareCount` of the post (DOC-06). */
            organicShareCount: number | null;
            /** @description Shares that ads brought. */
            paidShareCount: number | null;
            /** @description How often the video was marked as a favorite. */
            favoriteCount: number | null;
            /** @description Likes, comments, shares and favorites together; their sum where all four are observed (DOC-07). */
            engagementCount: number | null;
            /** @description Engagement rate, organic and paid, as the network reports it. */
            totalEngagementRate: number | null;
            /** @description Engagement rate, organic only, as the network reports it. */
            organicEngagementRate: number | null;
            /** @description Engagement rate of what ads brought, as the network reports it. */
            paidEngagementRate: number | null;
            /** @description Share of views that reached the end of the video, as the network reports it. */
            videoCompletionRate: number | null;
            /** @description Share of views that lasted at least 2 seconds, as the network reports it. */
            twoSecondViewRate: number | null;
            /** @description Share of views that lasted at least 6 seconds, as the network reports it. */
            sixSecondViewRate: number | null;
            /** @description Time played over all views, in seconds. */
            cumulativePlayTimeSeconds: number | null;
            /** @description Average time watched per view, in seconds. */
            averageViewTimeSeconds: number | null;
            /** @description How often the anchor was shown. */
            anchorViewCount: number | null;
            /** @description Clicks on the anchor. */
            anchorClickCount: number | null;
            /** @description Distinct viewers that the anchor was shown to. */
            anchorUniqueViewCount: number | null;
            /** @description Distinct viewers that clicked the anchor. */
            anchorUniqueClickCount: number | null;
            /** @description Share of viewers still watching at each point sampled, from the start on. */
            viewRetentionRates: number[] | null;
            /** @description The viewers by gender, age and country. Present only when the network returned at least one breakdown. Outside the v1 compatibility promise, so nothing inside is constrained (DOC-12). */
            audienceDistributions?: unknown;
        };
        /** @description Error envelope of status 404. A single read found nothing (then with `details`), or `asOrg` is an id, `asProfile` is unknown, or the path is (then without: ERR-03). */
        NotFoundError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description Stable and for programs: status 404 always has this code, and this code always that status (ERR-02).
                 * @constant
                 */
                code: "not-found";
                /** @description Prose for people; it may change at any time, so never parse it. */
                message: string;
                /** @description Only on a read miss (ERR-03): branch on its `reason`, and ask again only when it is `retryable`. */
                details?: components["schemas"]["ErrorDetails"];
            };
        };
        /** @description One post, as the single read and the batch give it. Every key is present except `analysis`; what has not been observed is null, or empty for an array (DOC-01). */
        Post: {
            /**
             * @description The network that the post is on. Open vocabulary: more networks may come without a new version (GEN-08).
             * @example netA
             * @example netB
             */
            network: string;
            /** @description The network's own id of the post. */
            externalId: string | null;
            /** @description Public permalink of the post. */
            url: string | null;
            /**
             * Format: date-time
             * @description When the post was published, ISO 8601 with a time zone (GEN-05).
             */
            postedAt: string | null;
            /** @description The caption. */
            text: string | null;
            /**
             * @description What the post is made of, mapped from the network's own word for it. Closed: these three, or null when not observed.
             * @enum {string|null}
             */
            mediaKind: "video" | "image" | "carousel" | null;
            /** @description One entry per media node, in their order; a carousel has several, and it is empty while none is known (DOC-10). */
            media: components["schemas"]["Media"][];
            /** @description Likes in all. */
            likeCount: number | null;
            /** @description Comments in all. */
            commentCount: number | null;
            /** @description Views in all. */
            viewCount: number | null;
            /** @description Organic shares, so without those from ads; null where the network reports none. */
            shareCount: number | null;
            /** @description How often the post was saved or bookmarked, organic and paid together. */
            saveCount: number | null;
            /** @description Who published the post. */
            author: components["schemas"]["PostAuthor"];
            /** @description What netA tells of the post. Always there; on a post of another network every key is present, null or empty (DOC-03). */
            netA: components["schemas"]["NetAPost"];
            /** @description What netB tells of the post. Always there; on a post of another network every key is present and null (DOC-03). */
            netB: components["schemas"]["NetBPost"];
            /**
             * Format: date-time
             * @description When this snapshot was produced, ISO 8601 with a time zone (GEN-05): how fresh the data is.
             */
            updatedAt: string | null;
            /** @description Enrichment by AI. Present only when the request named at least one key in `include`, and then with exactly the keys named (PST-04). */
            analysis?: components["schemas"]["Analysis"];
        };
        /** @description The author of a post: a thin summary without personal data. Read the creator for more. */
        PostAuthor: {
            /** @description The network's own id of the author's account; equals the `externalId` of the creator's channel. */
            accountId: string | null;
            /** @description The author's handle, without `@`. */
            username: string | null;
            /** @description How many accounts follow the author. */
            followersCount: number | null;
            /** @description Whether the author is verified, as far as known; null when not observed. */
            verified: boolean | null;
            /** @description Country of the author. */
            country: string | null;
        };
        /** @description Answer of a batch read of posts, always with status 200. Every identifier submitted is in exactly one of the three buckets (CRB-02), and all three are always there (CRB-01). */
        PostBatch: {
            /** @description The posts that are held, in no particular order. An entry does not repeat the identifier; correlate by its network, external id or username. */
            data: components["schemas"]["Post"][];
            /** @description Identifiers whose discovery has been started or joined: send the same request again after the wait. */
            fetching: components["schemas"]["FetchingEntry"][];
            /** @description Identifiers that cannot be obtained, each with its reason. */
            unavailable: components["schemas"]["UnavailableEntry"][];
        };
        /** @description Answer of the single post read when the post is held (PST-01). */
        PostResponse: {
            /** @description The post. */
            data: components["schemas"]["Post"];
        };
        /** @description How the post is made. Every key is present, and null when not observed. */
        ProductionAnalysis: {
            /** @description Quality of the production, as a score. */
            productionQuality: number | null;
            /** @description Techniques of the camera. */
            cameraTechniques: string[] | null;
            /** @description Style of the sound. */
            audioStyle: string | null;
            /** @description Style of the light. */
            lightingStyle: string | null;
        };
        /** @description Error envelope of status 429. The principal's budget of this minute is spent. */
        RateLimitedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description Stable and for programs: status 429 always has this code, and this code always that status (ERR-02).
                 * @constant
                 */
                code: "rate-limited";
                /** @description Prose for people; it may change at any time, so never parse it. */
                message: string;
            };
        };
        /** @description Error envelope of status 401. The credential is missing, malformed, unknown, expired or revoked. */
        UnauthorizedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description Stable and for programs: status 401 always has this code, and this code always that status (ERR-02).
                 * @constant
                 */
                code: "unauthorized";
                /** @description Prose for people; it may change at any time, so never parse it. */
                message: string;
            };
        };
        /** @description An identifier that cannot be obtained. */
        UnavailableEntry: {
            /** @description The identifier exactly as submitted (CRB-05). */
            id: string;
            /**
             * @description Why it cannot be obtained. Open vocabulary, the same in batches and errors; treat one you do not know as terminal unless `retryable` is true (GEN-08). Today: `account-not-discoverable` (creators: a personal account or none, which cannot be told apart), `not-supported-on-network` (the network is not supported yet), `outside-recent-media-window` (posts: not among the recent media of its author), `author-unresolved` (posts: its author cannot be found), `unparseable-identifier` (no identifier at all, or of another kind), `internal-error` (our fault, with `retryable`).
             * @example account-not-discoverable
             * @example not-supported-on-network
             * @example outside-recent-media-window
             * @example author-unresolved
             * @example unparseable-identifier
             * @example internal-error
             */
            reason: string;
            /**
             * @description Present, and then true, only when the failure was on the service's side: ask again in a few minutes (STA-05). Absent: terminal (CRB-06).
             * @constant
             */
            retryable?: true;
        };
    };
    responses: {
        /** @description The creator is held (CRE-01). A stale one is answered too, while a refresh runs (STA-02). */
        Creator: {
            headers: {
                /**
                 * @description Id of this request, another one for each; name it when you ask for support (GEN-02).
                 * @example 01JE4Q6Z7M8W3X5T9V2B1C0D4F
                 */
                "x-request-id": string;
                /**
                 * @description Always `no-store` - reads have side effects, so no cache may answer for us (GEN-10).
                 * @example no-store
                 */
                "Cache-Control"?: string;
                /**
                 * @description What is left of the principal's budget, after the IETF draft: `r` requests in the window that ends in `t` seconds (RAT-07). `t` is left out where the response carries a `Retry-After` that ends earlier. On every authenticated response.
                 * @example "default";r=59;t=42
                 */
                RateLimit?: string;
                /**
                 * @description The principal's budget, after the IETF draft: `q` requests in a window of `w` seconds (RAT-01, RAT-07). On every authenticated response.
                 * @example "default";q=60;w=60
                 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreatorResponse"];
            };
        };
        /** @description The three buckets: every identifier submitted is in exactly one (CRB-01, CRB-02). */
        CreatorBatch: {
            headers: {
                /**
                 * @description Id of this request, another one for each; name it when you ask for support (GEN-02).
                 * @example 01JE4Q6Z7M8W3X5T9V2B1C0D4F
                 */
                "x-request-id": string;
                /**
                 * @description Always `no-store` - reads have side effects, so no cache may answer for us (GEN-10).
                 * @example no-store
                 */
                "Cache-Control"?: string;
                /**
                 * @description What is left of the principal's budget, after the IETF draft: `r` requests in the window that ends in `t` seconds (RAT-07). `t` is left out where the response carries a `Retry-After` that ends earlier. On every authenticated response.
                 * @example "default";r=59;t=42
                 */
                RateLimit?: string;
                /**
                 * @description The principal's budget, after the IETF draft: `q` requests in a window of `w` seconds (RAT-01, RAT-07). On every authenticated response.
                 * @example "default";q=60;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description Present if and only if `fetching` is not empty: whole seconds, at least 1, that agree within 1 s with the `retryAfter` of its entries (CRB-04).
                 * @example 5
                 */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreatorBatch"];
            };
        };
        /** @description What is needed to verify the credential does not answer, so it is neither accepted nor rejected: retry (AUT-08). The same is said when what is held cannot be read or a discovery not be started; the budget shows where it was counted already. */
        DependencyUnavailable: {
            headers: {
                /**
                 * @description Id of this request, another one for each; name it when you ask for support (GEN-02).
                 * @example 01JE4Q6Z7M8W3X5T9V2B1C0D4F
                 */
                "x-request-id": string;
                /**
                 * @description Always `no-store` - reads have side effects, so no cache may answer for us (GEN-10).
                 * @example no-store
                 */
                "Cache-Control"?: string;
                /**
                 * @description Whole seconds to wait before the same request makes sense again, at least 1 (GEN-05).
                 * @example 5
                 */
                "Retry-After": number;
                /**
                 * @description What is left of the principal's budget, after the IETF draft: `r` requests in the window that ends in `t` seconds (RAT-07). `t` is left out where the response carries a `Retry-After` that ends earlier. On every authenticated response.
                 * @example "default";r=59;t=42
                 */
                RateLimit?: string;
                /**
                 * @description The principal's budget, after the IETF draft: `q` requests in a window of `w` seconds (RAT-01, RAT-07). On every authenticated response.
                 * @example "default";q=60;w=60
                 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DependencyUnavailableError"];
            };
        };
        /** @description Not held yet: its discovery has been started, or the running one joined. Send the same request again after `Retry- After` (CRE-02, CRE-03); asking sooner spends budget and brings nothing sooner (STA-04). */
        FetchingCreator: {
            headers: {
                /**
                 * @description Id of this request, another one for each; name it when you ask for support (GEN-02).
                 * @example 01JE4Q6Z7M8W3X5T9V2B1C0D4F
                 */
                "x-request-id": string;
                /**
                 * @description Always `no-store` - reads have side effects, so no cache may answer for us (GEN-10).
                 * @example no-store
                 */
                "Cache-Control"?: string;
                /**
                 * @description What is left of the principal's budget, after the IETF draft: `r` requests in the window that ends in `t` seconds (RAT-07). `t` is left out where the response carries a `Retry-After` that ends earlier. On every authenticated response.
                 * @example "default";r=59;t=42
                 */
                RateLimit?: string;
                /**
                 * @description The principal's budget, after the IETF draft: `q` requests in a window of `w` seconds (RAT-01, RAT-07). On every authenticated response.
                 * @example "default";q=60;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description Whole seconds to wait before the same request makes sense again, at least 1 (GEN-05).
                 * @example 5
                 */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FetchingResponse"];
            };
        };
        /** @description Not held yet: its discovery has been started, or the running one joined. Send the same request again after `Retry- After` (CRE-02, CRE-03); asking sooner spends budget and brings nothing sooner (STA-04). */
        FetchingPost: {
            headers: {
                /**
                 * @description Id of this request, another one for each; name it when you ask for support (GEN-02).
                 * @example 01JE4Q6Z7M8W3X5T9V2B1C0D4F
                 */
                "x-request-id": string;
                /**
                 * @description Always `no-store` - reads have side effects, so no cache may answer for us (GEN-10).
                 * @example no-store
                 */
                "Cache-Control"?: string;
                /**
                 * @description What is left of the principal's budget, after the IETF draft: `r` requests in the window that ends in `t` seconds (RAT-07). `t` is left out where the response carries a `Retry-After` that ends earlier. On every authenticated response.
                 * @example "default";r=59;t=42
                 */
                RateLimit?: string;
                /**
                 * @description The principal's budget, after the IETF draft: `q` requests in a window of `w` seconds (RAT-01, RAT-07). On every authenticated response.
                 * @example "default";q=60;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description Whole seconds to wait before the same request makes sense again, at least 1 (GEN-05).
                 * @example 5
                 */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FetchingResponse"];
            };
        };
        /** @description The credential lacks the scope `creators:read` (AUT-06), or the caller has no role in the organization that `asOrg` names (ORG-03). */
        ForbiddenCreators: {
            headers: {
                /**
                 * @description Id of this request, another one for each; name it when you ask for support (GEN-02).
                 * @example 01JE4Q6Z7M8W3X5T9V2B1C0D4F
                 */
                "x-request-id": string;
                /**
                 * @description Always `no-store` - reads have side effects, so no cache may answer for us (GEN-10).
                 * @example no-store
                 */
                "Cache-Control"?: string;
                /**
                 * @description What is left of the principal's budget, after the IETF draft: `r` requests in the window that ends in `t` seconds (RAT-07). `t` is left out where the response carries a `Retry-After` that ends earlier. On every authenticated response.
                 * @example "default";r=59;t=42
                 */
                RateLimit?: string;
                /**
                 * @description The principal's budget, after the IETF draft: `q` requests in a window of `w` seconds (RAT-01, RAT-07). On every authenticated response.
                 * @example "default";q=60;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description `WWW-Authenticate` of a 403. Where a scope is missing it carries `error="insufficient_scope"` and the scope (AUT-09); absent where the role in an organization is missing.
                 * @example Bearer error="insufficient_scope", scope="creators:read"
                 */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ForbiddenError"];
            };
        };
        /** @description The credential lacks the scope `posts:read` (AUT-07), or the caller has no role in the organization that `asOrg` names (ORG-03). */
        ForbiddenPosts: {
            headers: {
                /**
                 * @description Id of this request, another one for each; name it when you ask for support (GEN-02).
                 * @example 01JE4Q6Z7M8W3X5T9V2B1C0D4F
                 */
                "x-request-id": string;
                /**
                 * @description Always `no-store` - reads have side effects, so no cache may answer for us (GEN-10).
                 * @example no-store
                 */
                "Cache-Control"?: string;
                /**
                 * @description What is left of the principal's budget, after the IETF draft: `r` requests in the window that ends in `t` seconds (RAT-07). `t` is left out where the response carries a `Retry-After` that ends earlier. On every authenticated response.
                 * @example "default";r=59;t=42
                 */
                RateLimit?: string;
                /**
                 * @description The principal's budget, after the IETF draft: `q` requests in a window of `w` seconds (RAT-01, RAT-07). On every authenticated response.
                 * @example "default";q=60;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description `WWW-Authenticate` of a 403. Where a scope is missing it carries `error="insufficient_scope"` and the scope (AUT-09); absent where the role in an organization is missing.
                 * @example Bearer error="insufficient_scope", scope="creators:read"
                 */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ForbiddenError"];
            };
        };
        /** @description A fault of the service. Safe to retry, with backoff; the message tells nothing of the fault (ERR-04). */
        InternalError: {
            headers: {
                /**
                 * @description Id of this request, another one for each; name it when you ask for support (GEN-02).
                 * @example 01JE4Q6Z7M8W3X5T9V2B1C0D4F
                 */
                "x-request-id": string;
                /**
                 * @description Always `no-store` - reads have side effects, so no cache may answer for us (GEN-10).
                 * @example no-store
                 */
                "Cache-Control"?: string;
                /**
                 * @description What is left of the principal's budget, after the IETF draft: `r` requests in the window that ends in `t` seconds (RAT-07). `t` is left out where the response carries a `Retry-After` that ends earlier. On every authenticated response.
                 * @example "default";r=59;t=42
                 */
                RateLimit?: string;
                /**
                 * @description The principal's budget, after the IETF draft: `q` requests in a window of `w` seconds (RAT-01, RAT-07). On every authenticated response.
                 * @example "default";q=60;w=60
                 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalError"];
            };
        };
        /** @description The request is not one that the contract allows: no identifier or more than 100 (IDS-05); or a body that is no JSON, has a field of a wrong type (null is one: IDS-14), is over 1 MiB, or is not `application/json` (CRB-08). */
        InvalidInputBody: {
            headers: {
                /**
                 * @description Id of this request, another one for each; name it when you ask for support (GEN-02).
                 * @example 01JE4Q6Z7M8W3X5T9V2B1C0D4F
                 */
                "x-request-id": string;
                /**
                 * @description Always `no-store` - reads have side effects, so no cache may answer for us (GEN-10).
                 * @example no-store
                 */
                "Cache-Control"?: string;
                /**
                 * @description What is left of the principal's budget, after the IETF draft: `r` requests in the window that ends in `t` seconds (RAT-07). `t` is left out where the response carries a `Retry-After` that ends earlier. On every authenticated response.
                 * @example "default";r=59;t=42
                 */
                RateLimit?: string;
                /**
                 * @description The principal's budget, after the IETF draft: `q` requests in a window of `w` seconds (RAT-01, RAT-07). On every authenticated response.
                 * @example "default";q=60;w=60
                 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidInputError"];
            };
        };
        /** @description The request is not one that the contract allows: an `include` value other than `posts` (CRE-07), or a parameter given twice that is no list (IDS-14). */
        InvalidInputCreator: {
            headers: {
                /**
                 * @description Id of this request, another one for each; name it when you ask for support (GEN-02).
                 * @example 01JE4Q6Z7M8W3X5T9V2B1C0D4F
                 */
                "x-request-id": string;
                /**
                 * @description Always `no-store` - reads have side effects, so no cache may answer for us (GEN-10).
                 * @example no-store
                 */
                "Cache-Control"?: string;
                /**
                 * @description What is left of the principal's budget, after the IETF draft: `r` requests in the window that ends in `t` seconds (RAT-07). `t` is left out where the response carries a `Retry-After` that ends earlier. On every authenticated response.
                 * @example "default";r=59;t=42
                 */
                RateLimit?: string;
                /**
                 * @description The principal's budget, after the IETF draft: `q` requests in a window of `w` seconds (RAT-01, RAT-07). On every authenticated response.
                 * @example "default";q=60;w=60
                 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidInputError"];
            };
        };
        /** @description The request is not one that the contract allows: no identifier or more than 100 (IDS-05), or a parameter given twice that is no list (IDS-14). */
        InvalidInputList: {
            headers: {
                /**
                 * @description Id of this request, another one for each; name it when you ask for support (GEN-02).
                 * @example 01JE4Q6Z7M8W3X5T9V2B1C0D4F
                 */
                "x-request-id": string;
                /**
                 * @description Always `no-store` - reads have side effects, so no cache may answer for us (GEN-10).
                 * @example no-store
                 */
                "Cache-Control"?: string;
                /**
                 * @description What is left of the principal's budget, after the IETF draft: `r` requests in the window that ends in `t` seconds (RAT-07). `t` is left out where the response carries a `Retry-After` that ends earlier. On every authenticated response.
                 * @example "default";r=59;t=42
                 */
                RateLimit?: string;
                /**
                 * @description The principal's budget, after the IETF draft: `q` requests in a window of `w` seconds (RAT-01, RAT-07). On every authenticated response.
                 * @example "default";q=60;w=60
                 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidInputError"];
            };
        };
        /** @description The request is not one that the contract allows: `url` and `ids` together, or neither (PST-03); no identifier or more than 100 (IDS-05); an unknown `include` value (PST-05); or a parameter given twice that is no list (IDS-14). */
        InvalidInputPosts: {
            headers: {
                /**
                 * @description Id of this request, another one for each; name it when you ask for support (GEN-02).
                 * @example 01JE4Q6Z7M8W3X5T9V2B1C0D4F
                 */
                "x-request-id": string;
                /**
                 * @description Always `no-store` - reads have side effects, so no cache may answer for us (GEN-10).
                 * @example no-store
                 */
                "Cache-Control"?: string;
                /**
                 * @description What is left of the principal's budget, after the IETF draft: `r` requests in the window that ends in `t` seconds (RAT-07). `t` is left out where the response carries a `Retry-After` that ends earlier. On every authenticated response.
                 * @example "default";r=59;t=42
                 */
                RateLimit?: string;
                /**
                 * @description The principal's budget, after the IETF draft: `q` requests in a window of `w` seconds (RAT-01, RAT-07). On every authenticated response.
                 * @example "default";q=60;w=60
                 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidInputError"];
            };
        };
        /** @description The path has no such method; `Allow` names those it has (GEN-07). Needs no credential and costs no budget. */
        MethodNotAllowed: {
            headers: {
                /**
                 * @description Id of this request, another one for each; name it when you ask for support (GEN-02).
                 * @example 01JE4Q6Z7M8W3X5T9V2B1C0D4F
                 */
                "x-request-id": string;
                /**
                 * @description Always `no-store` - reads have side effects, so no cache may answer for us (GEN-10).
                 * @example no-store
                 */
                "Cache-Control"?: string;
                /**
                 * @description The methods that the path has (GEN-07).
                 * @example GET, HEAD
                 */
                Allow: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MethodNotAllowedError"];
            };
        };
        /** @description Never about one identifier, so never with `details` (ERR-03): `asOrg` is an id (ORG-04), `asProfile` is unknown (ORG-07), or the path is (GEN-07). */
        NotFoundBatch: {
            headers: {
                /**
                 * @description Id of this request, another one for each; name it when you ask for support (GEN-02).
                 * @example 01JE4Q6Z7M8W3X5T9V2B1C0D4F
                 */
                "x-request-id": string;
                /**
                 * @description Always `no-store` - reads have side effects, so no cache may answer for us (GEN-10).
                 * @example no-store
                 */
                "Cache-Control"?: string;
                /**
                 * @description What is left of the principal's budget, after the IETF draft: `r` requests in the window that ends in `t` seconds (RAT-07). `t` is left out where the response carries a `Retry-After` that ends earlier. On every authenticated response.
                 * @example "default";r=59;t=42
                 */
                RateLimit?: string;
                /**
                 * @description The principal's budget, after the IETF draft: `q` requests in a window of `w` seconds (RAT-01, RAT-07). On every authenticated response.
                 * @example "default";q=60;w=60
                 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /** @description The creator cannot be obtained: `details` tells why (CRE-04, CRE-05). Or, without `details` (ERR-03): `asOrg` is an id (ORG-04), `asProfile` is unknown (ORG-07), or the path is (GEN-07). */
        NotFoundCreator: {
            headers: {
                /**
                 * @description Id of this request, another one for each; name it when you ask for support (GEN-02).
                 * @example 01JE4Q6Z7M8W3X5T9V2B1C0D4F
                 */
                "x-request-id": string;
                /**
                 * @description Always `no-store` - reads have side effects, so no cache may answer for us (GEN-10).
                 * @example no-store
                 */
                "Cache-Control"?: string;
                /**
                 * @description What is left of the principal's budget, after the IETF draft: `r` requests in the window that ends in `t` seconds (RAT-07). `t` is left out where the response carries a `Retry-After` that ends earlier. On every authenticated response.
                 * @example "default";r=59;t=42
                 */
                RateLimit?: string;
                /**
                 * @description The principal's budget, after the IETF draft: `q` requests in a window of `w` seconds (RAT-01, RAT-07). On every authenticated response.
                 * @example "default";q=60;w=60
                 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /** @description With `url`, the post cannot be obtained: `details` tells why (PST-01, PST-08). Or, without `details` (ERR-03) and in both forms: `asOrg` is an id (ORG-04), `asProfile` is unknown (ORG-07), or the path is (GEN-07). */
        NotFoundPost: {
            headers: {
                /**
                 * @description Id of this request, another one for each; name it when you ask for support (GEN-02).
                 * @example 01JE4Q6Z7M8W3X5T9V2B1C0D4F
                 */
                "x-request-id": string;
                /**
                 * @description Always `no-store` - reads have side effects, so no cache may answer for us (GEN-10).
                 * @example no-store
                 */
                "Cache-Control"?: string;
                /**
                 * @description What is left of the principal's budget, after the IETF draft: `r` requests in the window that ends in `t` seconds (RAT-07). `t` is left out where the response carries a `Retry-After` that ends earlier. On every authenticated response.
                 * @example "default";r=59;t=42
                 */
                RateLimit?: string;
                /**
                 * @description The principal's budget, after the IETF draft: `q` requests in a window of `w` seconds (RAT-01, RAT-07). On every authenticated response.
                 * @example "default";q=60;w=60
                 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /** @description The three buckets: every identifier submitted is in exactly one (CRB-01, CRB-02). */
        PostBatch: {
            headers: {
                /**
                 * @description Id of this request, another one for each; name it when you ask for support (GEN-02).
                 * @example 01JE4Q6Z7M8W3X5T9V2B1C0D4F
                 */
                "x-request-id": string;
                /**
                 * @description Always `no-store` - reads have side effects, so no cache may answer for us (GEN-10).
                 * @example no-store
                 */
                "Cache-Control"?: string;
                /**
                 * @description What is left of the principal's budget, after the IETF draft: `r` requests in the window that ends in `t` seconds (RAT-07). `t` is left out where the response carries a `Retry-After` that ends earlier. On every authenticated response.
                 * @example "default";r=59;t=42
                 */
                RateLimit?: string;
                /**
                 * @description The principal's budget, after the IETF draft: `q` requests in a window of `w` seconds (RAT-01, RAT-07). On every authenticated response.
                 * @example "default";q=60;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description Present if and only if `fetching` is not empty: whole seconds, at least 1, that agree within 1 s with the `retryAfter` of its entries (CRB-04).
                 * @example 5
                 */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PostBatch"];
            };
        };
        /** @description With `url`, the post that is held (PST-01); with `ids`, the three buckets (PST-02). `Retry-After` is there only with a `fetching` bucket that is not empty, so never with `url`. */
        PostOrBatch: {
            headers: {
                /**
                 * @description Id of this request, another one for each; name it when you ask for support (GEN-02).
                 * @example 01JE4Q6Z7M8W3X5T9V2B1C0D4F
                 */
                "x-request-id": string;
                /**
                 * @description Always `no-store` - reads have side effects, so no cache may answer for us (GEN-10).
                 * @example no-store
                 */
                "Cache-Control"?: string;
                /**
                 * @description What is left of the principal's budget, after the IETF draft: `r` requests in the window that ends in `t` seconds (RAT-07). `t` is left out where the response carries a `Retry-After` that ends earlier. On every authenticated response.
                 * @example "default";r=59;t=42
                 */
                RateLimit?: string;
                /**
                 * @description The principal's budget, after the IETF draft: `q` requests in a window of `w` seconds (RAT-01, RAT-07). On every authenticated response.
                 * @example "default";q=60;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description Present if and only if `fetching` is not empty: whole seconds, at least 1, that agree within 1 s with the `retryAfter` of its entries (CRB-04).
                 * @example 5
                 */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PostResponse"] | components["schemas"]["PostBatch"];
            };
        };
        /** @description The budget of this minute is spent; `Retry-After` is what remains of the window (RAT-02). This request counted too (RAT-04). */
        RateLimited: {
            headers: {
                /**
                 * @description Id of this request, another one for each; name it when you ask for support (GEN-02).
                 * @example 01JE4Q6Z7M8W3X5T9V2B1C0D4F
                 */
                "x-request-id": string;
                /**
                 * @description Always `no-store` - reads have side effects, so no cache may answer for us (GEN-10).
                 * @example no-store
                 */
                "Cache-Control"?: string;
                /**
                 * @description What is left of the principal's budget, after the IETF draft: `r` requests in the window that ends in `t` seconds (RAT-07). `t` is left out where the response carries a `Retry-After` that ends earlier. On every authenticated response.
                 * @example "default";r=59;t=42
                 */
                RateLimit?: string;
                /**
                 * @description The principal's budget, after the IETF draft: `q` requests in a window of `w` seconds (RAT-01, RAT-07). On every authenticated response.
                 * @example "default";q=60;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description Whole seconds to wait before the same request makes sense again, at least 1 (GEN-05).
                 * @example 5
                 */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimitedError"];
            };
        };
        /** @description The credential is missing, malformed, unknown, expired or revoked (AUT-01 to AUT-05). Costs no budget. */
        Unauthorized: {
            headers: {
                /**
                 * @description Id of this request, another one for each; name it when you ask for support (GEN-02).
                 * @example 01JE4Q6Z7M8W3X5T9V2B1C0D4F
                 */
                "x-request-id": string;
                /**
                 * @description Always `no-store` - reads have side effects, so no cache may answer for us (GEN-10).
                 * @example no-store
                 */
                "Cache-Control"?: string;
                /**
                 * @description How to authenticate, the scheme `Bearer` (AUT-09).
                 * @example Bearer
                 */
                "WWW-Authenticate": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnauthorizedError"];
            };
        };
    };
    parameters: {
        /** @description Slug, not id, of the organization to act for when it is not the credential's own. The caller must hold a role there, as a direct member or by a grant to its organization (ORG-01, ORG-02); without one, and for an unknown slug alike, 403 (ORG-03). An id (`org_…`) answers 404 and the message repeats it (ORG-04). The own slug means nothing more (ORG-05). Slugs are exact, and an empty one is a slug that nobody has (ORG-09). The budget spent remains the principal's (RAT-07). */
        AsOrg: string;
        /** @description Slug of one of the caller's profiles: the discovery or refresh that this read starts is attributed to it, and nothing else changes (ORG-06). It is resolved in the credential's own organization, also under `asOrg` (ORG-09). An unknown one, and one of another organization, answer the same 404 (ORG-07). */
        AsProfile: string;
        /** @description 1 to 100 identifiers, separated by commas. Each is qualified `<network>:<handle>`, a profile URL, or bare, which means of the network that `network` names (IDS-01). Blanks around commas are ignored and empty tokens dropped (IDS-04); none left, or more than 100, is refused with 400, never cut (IDS-05). Repeats count towards the cap and are answered once (IDS-11). Networks may be mixed (IDS-03). An identifier that cannot be parsed, is longer than 2,048 characters, or is of another kind goes to `unavailable` with `unparseable-identifier` (IDS-07, IDS-08, IDS-13). The parameter may be repeated: its values are joined (IDS-14). A request line of up to 64 KiB is accepted (GEN-11). */
        CreatorIds: string;
        /** @description Extras, separated by commas. There is one, `posts`: the recent posts under `data.posts` (CRE-06). Blanks around commas and empty tokens are dropped, a repeated value counts once, and nothing left means none (PST-09); any other value is refused with 400 (CRE-07). The parameter may be repeated (IDS-14). */
        CreatorInclude: string;
        /** @description Network of the bare identifiers in `ids`, those that name none themselves. Never a filter: a qualified identifier or a URL keeps its own (IDS-02). Empty means the default (ORG-09). Under an unsupported one the bare identifiers go to `unavailable` with `not-supported-on-network` (IDS-06). */
        DefaultNetwork: string;
        /** @description Handle of the account without `@`; one leading `@` is dropped, and handles compare without case (IDS-09). It has 1 to 100 of ASCII letters, digits, `.`, `_` and `-`, not dots alone; anything else answers 404 with `unparseable-identifier`, never 400 (CRE-10), so there is no pattern here. */
        Handle: string;
        /** @description The network of the account, exactly as written (`NETA` is another one). Supported are `netA` and `netB`; every other answers 404 with `not-supported-on-network`, never 400 (CRE-05), so there is no enum here. */
        Network: string;
        /** @description 1 to 100 identifiers, separated by commas. Each is qualified `<network>:<post id>`, a post URL, or bare, which means of the network that `network` names (IDS-01). Blanks around commas are ignored and empty tokens dropped (IDS-04); none left, or more than 100, is refused with 400, never cut (IDS-05). Repeats count towards the cap and are answered once (IDS-11). Networks may be mixed (IDS-03). An identifier that cannot be parsed, is longer than 2,048 characters, or is of another kind goes to `unavailable` with `unparseable-identifier` (IDS-07, IDS-08, IDS-13). The parameter may be repeated: its values are joined (IDS-14). On netA the shortcode and the numeric media id name the same post (IDS-12). Selects the batch form of the answer: always 200, never 202 (PST-02). Exactly one of `url` and `ids` must be there (PST-03), which OpenAPI cannot say. */
        PostIds: string;
        /** @description Keys of `analysis` to add to each post, separated by commas; works with `url` and with `ids` (PST-04). Blanks around commas and empty tokens are dropped, a repeated value counts once, and nothing left means no `analysis` (PST-09); an unknown value is refused with 400 (PST-05). The parameter may be repeated (IDS-14). The values, exactly as written: `narration`, `transcript`, `overlayText`, `languages`, `aestheticTags`, `brandSafety`, `commercialAnalysis`, `emotionalAnalysis`, `productionAnalysis`, `vibeAnalysis`, `subjectAnalysis`, `commentSentimentLabel`, `commentSentimentScore`, `commentSentimentSummary`, `commentSentimentRationale`, `commentSentimentThemes`, `commentSentimentBreakdown`, `commentSentimentTotalCommentCount`, `commentSentimentRelevantCommentCount`. */
        PostInclude: string;
        /** @description URL of one post. Selects the single form of the answer: 200, 202 or 404 (PST-01). Exactly one of `url` and `ids` must be there: both, or neither, is refused with 400 (PST-03), which OpenAPI cannot say. It is compared without scheme, `www.` or `m.`, trailing slash, query and fragment (IDS-09). A text that is no post URL of a supported network, also an empty one, answers 404 with `unparseable-identifier` (PST-07). The service never opens it. */
        PostUrl: string;
    };
    requestBodies: {
        /** @description The creators to read, and for whom. JSON of at most 1 MiB (CRB-08). */
        BatchCreators: {
            content: {
                "application/json": components["schemas"]["BatchRequest"];
            };
        };
        /** @description The posts to read, and for whom. JSON of at most 1 MiB (CRB-08). */
        BatchPosts: {
            content: {
                "application/json": components["schemas"]["BatchRequest"];
            };
        };
    };
    headers: {
        /**
         * @description The methods that the path has (GEN-07).
         * @example GET, HEAD
         */
        Allow: string;
        /**
         * @description Always `no-store` - reads have side effects, so no cache may answer for us (GEN-10).
         * @example no-store
         */
        CacheControl: string;
        /**
         * @description `WWW-Authenticate` of a 403. Where a scope is missing it carries `error="insufficient_scope"` and the scope (AUT-09); absent where the role in an organization is missing.
         * @example Bearer error="insufficient_scope", scope="creators:read"
         */
        InsufficientScope: string;
        /**
         * @description What is left of the principal's budget, after the IETF draft: `r` requests in the window that ends in `t` seconds (RAT-07). `t` is left out where the response carries a `Retry-After` that ends earlier. On every authenticated response.
         * @example "default";r=59;t=42
         */
        RateLimit: string;
        /**
         * @description The principal's budget, after the IETF draft: `q` requests in a window of `w` seconds (RAT-01, RAT-07). On every authenticated response.
         * @example "default";q=60;w=60
         */
        RateLimitPolicy: string;
        /**
         * @description Whole seconds to wait before the same request makes sense again, at least 1 (GEN-05).
         * @example 5
         */
        RetryAfter: number;
        /**
         * @description Present if and only if `fetching` is not empty: whole seconds, at least 1, that agree within 1 s with the `retryAfter` of its entries (CRB-04).
         * @example 5
         */
        RetryAfterIfFetching: number;
        /**
         * @description How to authenticate, the scheme `Bearer` (AUT-09).
         * @example Bearer
         */
        WWWAuthenticate: string;
        /**
         * @description Id of this request, another one for each; name it when you ask for support (GEN-02).
         * @example 01JE4Q6Z7M8W3X5T9V2B1C0D4F
         */
        XRequestId: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getCreator: {
        parameters: {
            query?: {
                /** @description Extras, separated by commas. There is one, `posts`: the recent posts under `data.posts` (CRE-06). Blanks around commas and empty tokens are dropped, a repeated value counts once, and nothing left means none (PST-09); any other value is refused with 400 (CRE-07). The parameter may be repeated (IDS-14). */
                include?: components["parameters"]["CreatorInclude"];
                /** @description Slug, not id, of the organization to act for when it is not the credential's own. The caller must hold a role there, as a direct member or by a grant to its organization (ORG-01, ORG-02); without one, and for an unknown slug alike, 403 (ORG-03). An id (`org_…`) answers 404 and the message repeats it (ORG-04). The own slug means nothing more (ORG-05). Slugs are exact, and an empty one is a slug that nobody has (ORG-09). The budget spent remains the principal's (RAT-07). */
                asOrg?: components["parameters"]["AsOrg"];
                /** @description Slug of one of the caller's profiles: the discovery or refresh that this read starts is attributed to it, and nothing else changes (ORG-06). It is resolved in the credential's own organization, also under `asOrg` (ORG-09). An unknown one, and one of another organization, answer the same 404 (ORG-07). */
                asProfile?: components["parameters"]["AsProfile"];
            };
            header?: never;
            path: {
                /** @description The network of the account, exactly as written (`NETA` is another one). Supported are `netA` and `netB`; every other answers 404 with `not-supported-on-network`, never 400 (CRE-05), so there is no enum here. */
                network: components["parameters"]["Network"];
                /** @description Handle of the account without `@`; one leading `@` is dropped, and handles compare without case (IDS-09). It has 1 to 100 of ASCII letters, digits, `.`, `_` and `-`, not dots alone; anything else answers 404 with `unparseable-identifier`, never 400 (CRE-10), so there is no pattern here. */
                handle: components["parameters"]["Handle"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Creator"];
            202: components["responses"]["FetchingCreator"];
            400: components["responses"]["InvalidInputCreator"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCreators"];
            404: components["responses"]["NotFoundCreator"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["DependencyUnavailable"];
        };
    };
    listCreators: {
        parameters: {
            query: {
                /** @description 1 to 100 identifiers, separated by commas. Each is qualified `<network>:<handle>`, a profile URL, or bare, which means of the network that `network` names (IDS-01). Blanks around commas are ignored and empty tokens dropped (IDS-04); none left, or more than 100, is refused with 400, never cut (IDS-05). Repeats count towards the cap and are answered once (IDS-11). Networks may be mixed (IDS-03). An identifier that cannot be parsed, is longer than 2,048 characters, or is of another kind goes to `unavailable` with `unparseable-identifier` (IDS-07, IDS-08, IDS-13). The parameter may be repeated: its values are joined (IDS-14). A request line of up to 64 KiB is accepted (GEN-11). */
                ids: components["parameters"]["CreatorIds"];
                /** @description Network of the bare identifiers in `ids`, those that name none themselves. Never a filter: a qualified identifier or a URL keeps its own (IDS-02). Empty means the default (ORG-09). Under an unsupported one the bare identifiers go to `unavailable` with `not-supported-on-network` (IDS-06). */
                network?: components["parameters"]["DefaultNetwork"];
                /** @description Slug, not id, of the organization to act for when it is not the credential's own. The caller must hold a role there, as a direct member or by a grant to its organization (ORG-01, ORG-02); without one, and for an unknown slug alike, 403 (ORG-03). An id (`org_…`) answers 404 and the message repeats it (ORG-04). The own slug means nothing more (ORG-05). Slugs are exact, and an empty one is a slug that nobody has (ORG-09). The budget spent remains the principal's (RAT-07). */
                asOrg?: components["parameters"]["AsOrg"];
                /** @description Slug of one of the caller's profiles: the discovery or refresh that this read starts is attributed to it, and nothing else changes (ORG-06). It is resolved in the credential's own organization, also under `asOrg` (ORG-09). An unknown one, and one of another organization, answer the same 404 (ORG-07). */
                asProfile?: components["parameters"]["AsProfile"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CreatorBatch"];
            400: components["responses"]["InvalidInputList"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCreators"];
            404: components["responses"]["NotFoundBatch"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["DependencyUnavailable"];
        };
    };
    batchCreators: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["BatchCreators"];
        responses: {
            200: components["responses"]["CreatorBatch"];
            400: components["responses"]["InvalidInputBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCreators"];
            404: components["responses"]["NotFoundBatch"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["DependencyUnavailable"];
        };
    };
    getPosts: {
        parameters: {
            query?: {
                /** @description URL of one post. Selects the single form of the answer: 200, 202 or 404 (PST-01). Exactly one of `url` and `ids` must be there: both, or neither, is refused with 400 (PST-03), which OpenAPI cannot say. It is compared without scheme, `www.` or `m.`, trailing slash, query and fragment (IDS-09). A text that is no post URL of a supported network, also an empty one, answers 404 with `unparseable-identifier` (PST-07). The service never opens it. */
                url?: components["parameters"]["PostUrl"];
                /** @description 1 to 100 identifiers, separated by commas. Each is qualified `<network>:<post id>`, a post URL, or bare, which means of the network that `network` names (IDS-01). Blanks around commas are ignored and empty tokens dropped (IDS-04); none left, or more than 100, is refused with 400, never cut (IDS-05). Repeats count towards the cap and are answered once (IDS-11). Networks may be mixed (IDS-03). An identifier that cannot be parsed, is longer than 2,048 characters, or is of another kind goes to `unavailable` with `unparseable-identifier` (IDS-07, IDS-08, IDS-13). The parameter may be repeated: its values are joined (IDS-14). On netA the shortcode and the numeric media id name the same post (IDS-12). Selects the batch form of the answer: always 200, never 202 (PST-02). Exactly one of `url` and `ids` must be there (PST-03), which OpenAPI cannot say. */
                ids?: components["parameters"]["PostIds"];
                /** @description Network of the bare identifiers in `ids`, those that name none themselves. Never a filter: a qualified identifier or a URL keeps its own (IDS-02). Empty means the default (ORG-09). Under an unsupported one the bare identifiers go to `unavailable` with `not-supported-on-network` (IDS-06). */
                network?: components["parameters"]["DefaultNetwork"];
                /** @description Keys of `analysis` to add to each post, separated by commas; works with `url` and with `ids` (PST-04). Blanks around commas and empty tokens are dropped, a repeated value counts once, and nothing left means no `analysis` (PST-09); an unknown value is refused with 400 (PST-05). The parameter may be repeated (IDS-14). The values, exactly as written: `narration`, `transcript`, `overlayText`, `languages`, `aestheticTags`, `brandSafety`, `commercialAnalysis`, `emotionalAnalysis`, `productionAnalysis`, `vibeAnalysis`, `subjectAnalysis`, `commentSentimentLabel`, `commentSentimentScore`, `commentSentimentSummary`, `commentSentimentRationale`, `commentSentimentThemes`, `commentSentimentBreakdown`, `commentSentimentTotalCommentCount`, `commentSentimentRelevantCommentCount`. */
                include?: components["parameters"]["PostInclude"];
                /** @description Slug, not id, of the organization to act for when it is not the credential's own. The caller must hold a role there, as a direct member or by a grant to its organization (ORG-01, ORG-02); without one, and for an unknown slug alike, 403 (ORG-03). An id (`org_…`) answers 404 and the message repeats it (ORG-04). The own slug means nothing more (ORG-05). Slugs are exact, and an empty one is a slug that nobody has (ORG-09). The budget spent remains the principal's (RAT-07). */
                asOrg?: components["parameters"]["AsOrg"];
                /** @description Slug of one of the caller's profiles: the discovery or refresh that this read starts is attributed to it, and nothing else changes (ORG-06). It is resolved in the credential's own organization, also under `asOrg` (ORG-09). An unknown one, and one of another organization, answer the same 404 (ORG-07). */
                asProfile?: components["parameters"]["AsProfile"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PostOrBatch"];
            202: components["responses"]["FetchingPost"];
            400: components["responses"]["InvalidInputPosts"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenPosts"];
            404: components["responses"]["NotFoundPost"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["DependencyUnavailable"];
        };
    };
    batchPosts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["BatchPosts"];
        responses: {
            200: components["responses"]["PostBatch"];
            400: components["responses"]["InvalidInputBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenPosts"];
            404: components["responses"]["NotFoundBatch"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["DependencyUnavailable"];
        };
    };
}
