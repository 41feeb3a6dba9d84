/** Made from spec/ by `npm run generate`; never edit it. */

export interface paths {
    "/v1/{network}/creators/{handle}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A creator with recent posts */
        get: operations["collectCreator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{network}/posts/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A post among its author's recent media */
        get: operations["collectPost"];
        put?: never;
        post?: never;
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
        CollectedCreator: {
            creator: components["schemas"]["Creator"];
            /** @description The recent posts, newest first; their `author.accountId` is the channel's `externalId`. */
            posts?: components["schemas"]["CreatorPost"][];
            /**
             * Format: date-time
             * @description End of the audience-insights grant that `audienceDemographics` is shown under. Without it they are dropped.
             */
            audienceUntil?: string | null;
            /** @description The recent posts as whole documents; only asked for with `deep`. */
            deepPosts?: components["schemas"]["CollectedPost"][];
        };
        CollectedPost: {
            /** @description Canonical name of the post. */
            name: string;
            post: components["schemas"]["Post"];
            /** @description Any of the keys of `analysis`; the others are null. */
            analysis?: components["schemas"]["Analysis"] | null;
        };
        CollectorRefusal: {
            /**
             * @description Passed on to callers. Open vocabulary.
             * @example account-not-discoverable
             * @example outside-recent-media-window
             * @example author-unresolved
             * @example internal-error
             */
            reason: string;
            /** @description True only when the failure is not the network's word on the matter; absent is terminal. */
            retryable?: boolean;
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
        /** @description How the post feels. Every key is present, and null when not observed. */
        EmotionalAnalysis: {
            /** @description The emotion that prevails. */
            primaryEmotion: string | null;
            /** @description Words for the tone. */
            tone: string[] | null;
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
    };
    responses: {
        /** @description A failure (any status from 500 on). The service tries again with back-off, and stops calling while all fails. */
        Failed: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The network does not show it, and why */
        Refused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CollectorRefusal"];
            };
        };
        /** @description The network asks to slow down. The service waits as told and halves its pace; no attempt is counted. */
        Throttled: {
            headers: {
                /** @description Whole seconds; 60 when it is missing. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /** @description The network's identifier, exact. */
        Network: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    collectCreator: {
        parameters: {
            query?: {
                /** @description Also hand over the recent posts as whole documents, in `deepPosts`. */
                deep?: boolean;
            };
            header?: never;
            path: {
                /** @description The network's identifier, exact. */
                network: components["parameters"]["Network"];
                /** @description Canonical handle, lower case, without `@`. */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The creator */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectedCreator"];
                };
            };
            404: components["responses"]["Refused"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Failed"];
        };
    };
    collectPost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The network's identifier, exact. */
                network: components["parameters"]["Network"];
                /** @description Canonical name of the post, a shortcode or post id, case kept. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The post */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectedPost"];
                };
            };
            404: components["responses"]["Refused"];
            429: components["responses"]["Throttled"];
            503: components["responses"]["Failed"];
        };
    };
}
