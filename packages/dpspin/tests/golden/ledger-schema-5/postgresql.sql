CREATE FUNCTION golden.cap_covers_what_is_spent() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM overspent) THEN RAISE EXCEPTION 'the cap is below what is spent' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.entry_fits_its_account() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM scope WHERE id = NEW.scope_id AND kind = 'dataset' AND (NEW.part IS NULL OR partition IS NOT NULL)) THEN RAISE EXCEPTION 'a charge goes to a dataset, and a window to a declared partition' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.entry_is_affordable() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM overspent) THEN RAISE EXCEPTION 'the charge exceeds the cap' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.entry_is_of_one_kind() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM scope AS payer WHERE payer.id IN (NEW.scope_id, (SELECT population_id FROM scope WHERE id = NEW.scope_id)) AND (payer.unit <> NEW.unit OR payer.adjacency <> NEW.adjacency)) OR EXISTS (SELECT 1 FROM entry AS earlier JOIN scope AS member ON member.id = earlier.scope_id WHERE (member.id = NEW.scope_id OR member.population_id = (SELECT population_id FROM scope WHERE id = NEW.scope_id)) AND (earlier.unit <> NEW.unit OR earlier.adjacency <> NEW.adjacency)) THEN RAISE EXCEPTION 'an account adds up losses about the same neighbours only' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.entry_names_its_users() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF (NEW.unit = 'user' AND NOT EXISTS (SELECT 1 FROM declaration JOIN scope AS payer ON payer.name = declaration.dataset WHERE payer.id = NEW.scope_id AND payer.kind = 'dataset' AND declaration.subject = 'user_column' AND declaration.value = NEW.user_column)) OR (NEW.unit <> 'user' AND NEW.user_column IS NOT NULL) THEN RAISE EXCEPTION 'a charge about users names the column that its account declares' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.link_is_the_next() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF NEW.position <> (SELECT coalesce(max(position), 0) FROM link) + 1 THEN RAISE EXCEPTION 'links are added at the end' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.one_version() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM dpspin_ledger) THEN RAISE EXCEPTION 'a ledger has one version' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.output_is_of_the_newest() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF NEW.attempt <> (SELECT coalesce(max(attempt), 1) FROM resumption WHERE entry_id = NEW.id) OR NOT EXISTS (SELECT 1 FROM entry WHERE id = NEW.id) THEN RAISE EXCEPTION 'only the newest run of a charge may store its output' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.period_follows() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM entry JOIN output ON output.id = entry.id WHERE entry.id = NEW.entry_id AND entry.mechanism = 'laplace in a series') OR NEW.generation <> (SELECT coalesce(max(generation), 0) + 1 FROM period WHERE entry_id = NEW.entry_id) OR EXISTS (SELECT 1 FROM period WHERE entry_id = NEW.entry_id AND name >= NEW.name) THEN RAISE EXCEPTION 'a period follows those before it, in a life that was paid for' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.period_output_is_of_the_newest() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF NEW.attempt <> (SELECT coalesce(max(attempt), 1) FROM period_run WHERE period_id = NEW.id) OR NOT EXISTS (SELECT 1 FROM period WHERE id = NEW.id) THEN RAISE EXCEPTION 'only the newest run of a period may store its output' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.period_run_is_the_next() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF NEW.attempt <> (SELECT coalesce(max(attempt), 1) FROM period_run WHERE period_id = NEW.period_id) + 1 OR EXISTS (SELECT 1 FROM period_output WHERE id = NEW.period_id) THEN RAISE EXCEPTION 'a run takes over from the newest, and not from one that has finished' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.population_is_one() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF NEW.population_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM scope WHERE id = NEW.population_id AND kind = 'population') THEN RAISE EXCEPTION 'a dataset belongs to a population' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.resumption_is_the_next() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    IF NEW.attempt <> (SELECT coalesce(max(attempt), 1) FROM resumption WHERE entry_id = NEW.entry_id) + 1 OR EXISTS (SELECT 1 FROM output WHERE id = NEW.entry_id) THEN RAISE EXCEPTION 'a run takes over from the newest, and not from one that has finished' USING ERRCODE = 'integrity_constraint_violation'; END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION golden.row_is_fixed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    RAISE EXCEPTION 'ledger rows are never changed or deleted' USING ERRCODE = 'integrity_constraint_violation';
    RETURN NEW;
END $$;

CREATE FUNCTION golden.waits_for_its_account() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'golden'
    AS $$
BEGIN
    
    PERFORM 1 FROM scope
    WHERE id = NEW.scope_id OR id = (SELECT population_id FROM scope WHERE id = NEW.scope_id)
    ORDER BY id FOR UPDATE;

    RETURN NEW;
END $$;

CREATE TABLE golden.budget_change (
    id integer NOT NULL,
    scope_id integer NOT NULL,
    epsilon_nano bigint NOT NULL,
    delta_atto bigint NOT NULL,
    rho_nano bigint NOT NULL,
    note character varying NOT NULL,
    day date NOT NULL,
    CONSTRAINT budget_change_delta_atto_check CHECK ((delta_atto >= 0)),
    CONSTRAINT budget_change_epsilon_nano_check CHECK ((epsilon_nano >= 0)),
    CONSTRAINT budget_change_rho_nano_check CHECK ((rho_nano >= 0))
);

CREATE SEQUENCE golden.budget_change_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE golden.budget_change_id_seq OWNED BY golden.budget_change.id;

CREATE TABLE golden.declaration (
    id integer NOT NULL,
    dataset character varying NOT NULL,
    subject character varying NOT NULL,
    value character varying NOT NULL,
    note character varying NOT NULL,
    day date NOT NULL,
    CONSTRAINT declaration_subject_check CHECK (((subject)::text = ANY ((ARRAY['user_column'::character varying, 'apart'::character varying])::text[])))
);

CREATE SEQUENCE golden.declaration_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE golden.declaration_id_seq OWNED BY golden.declaration.id;

CREATE TABLE golden.dpspin_ledger (
    schema_version integer NOT NULL,
    genesis character varying NOT NULL
);

CREATE SEQUENCE golden.dpspin_ledger_schema_version_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE golden.dpspin_ledger_schema_version_seq OWNED BY golden.dpspin_ledger.schema_version;

CREATE TABLE golden.entry (
    id integer NOT NULL,
    scope_id integer NOT NULL,
    fingerprint character varying NOT NULL,
    content character varying NOT NULL,
    epsilon_nano bigint NOT NULL,
    delta_atto bigint NOT NULL,
    rho_nano bigint NOT NULL,
    unit character varying NOT NULL,
    adjacency character varying NOT NULL,
    mechanism character varying NOT NULL,
    request character varying NOT NULL,
    part character varying,
    day date NOT NULL,
    user_column character varying,
    likeness bytea,
    CONSTRAINT entry_adjacency_check CHECK (((adjacency)::text = ANY ((ARRAY['add_drop'::character varying, 'replace'::character varying])::text[]))),
    CONSTRAINT entry_delta_atto_check CHECK ((delta_atto >= 0)),
    CONSTRAINT entry_epsilon_nano_check CHECK ((epsilon_nano > 0)),
    CONSTRAINT entry_rho_nano_check CHECK ((rho_nano > 0)),
    CONSTRAINT entry_unit_check CHECK (((unit)::text = ANY ((ARRAY['record'::character varying, 'user'::character varying])::text[])))
);

CREATE SEQUENCE golden.entry_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE golden.entry_id_seq OWNED BY golden.entry.id;

CREATE TABLE golden.link (
    "position" integer NOT NULL,
    kind character varying NOT NULL,
    row_id integer NOT NULL,
    public_hash character varying NOT NULL,
    private_hash character varying NOT NULL
);

CREATE TABLE golden.output (
    id integer NOT NULL,
    attempt integer NOT NULL,
    output bytea NOT NULL,
    CONSTRAINT output_attempt_check CHECK ((attempt >= 1))
);

CREATE TABLE golden.scope (
    id integer NOT NULL,
    kind character varying NOT NULL,
    name character varying NOT NULL,
    currency character varying NOT NULL,
    population_id integer,
    partition character varying,
    unit character varying,
    adjacency character varying,
    CONSTRAINT scope_adjacency_check CHECK (((adjacency)::text = ANY ((ARRAY['add_drop'::character varying, 'replace'::character varying])::text[]))),
    CONSTRAINT scope_check CHECK ((((kind)::text = 'dataset'::text) OR ((population_id IS NULL) AND (partition IS NULL)))),
    CONSTRAINT scope_check1 CHECK (((unit IS NULL) = (adjacency IS NULL))),
    CONSTRAINT scope_currency_check CHECK (((currency)::text = ANY ((ARRAY['epsilon'::character varying, 'rho'::character varying])::text[]))),
    CONSTRAINT scope_kind_check CHECK (((kind)::text = ANY ((ARRAY['dataset'::character varying, 'population'::character varying])::text[]))),
    CONSTRAINT scope_unit_check CHECK (((unit)::text = ANY ((ARRAY['record'::character varying, 'user'::character varying])::text[])))
);

CREATE VIEW golden.spent_by_part AS
 SELECT scope_id,
    part,
    sum(epsilon_nano) AS epsilon_nano,
    sum(delta_atto) AS delta_atto,
    sum(rho_nano) AS rho_nano
   FROM golden.entry
  GROUP BY scope_id, part;

CREATE VIEW golden.spent AS
 SELECT scope_id,
    sum(epsilon_nano) AS epsilon_nano,
    sum(delta_atto) AS delta_atto,
    sum(rho_nano) AS rho_nano
   FROM ( SELECT spent_by_part.scope_id,
            spent_by_part.epsilon_nano,
            spent_by_part.delta_atto,
            spent_by_part.rho_nano
           FROM golden.spent_by_part
          WHERE (spent_by_part.part IS NULL)
        UNION ALL
         SELECT spent_by_part.scope_id,
            max(spent_by_part.epsilon_nano) AS max,
            max(spent_by_part.delta_atto) AS max,
            max(spent_by_part.rho_nano) AS max
           FROM golden.spent_by_part
          WHERE (spent_by_part.part IS NOT NULL)
          GROUP BY spent_by_part.scope_id
        UNION ALL
         SELECT member.population_id,
            entry.epsilon_nano,
            entry.delta_atto,
            entry.rho_nano
           FROM (golden.entry
             JOIN golden.scope member ON ((member.id = entry.scope_id)))
          WHERE (member.population_id IS NOT NULL)) share
  GROUP BY scope_id;

CREATE VIEW golden.overspent AS
 SELECT scope.id
   FROM (((golden.spent
     JOIN golden.scope ON ((scope.id = spent.scope_id)))
     LEFT JOIN ( SELECT budget_change.scope_id,
            max(budget_change.id) AS id
           FROM golden.budget_change
          GROUP BY budget_change.scope_id) newest ON ((newest.scope_id = scope.id)))
     LEFT JOIN golden.budget_change cap ON ((cap.id = newest.id)))
  WHERE ((((scope.currency)::text = 'rho'::text) AND (spent.rho_nano > (COALESCE(cap.rho_nano, ('-1'::integer)::bigint))::numeric)) OR (((scope.currency)::text = 'epsilon'::text) AND ((spent.epsilon_nano > (COALESCE(cap.epsilon_nano, ('-1'::integer)::bigint))::numeric) OR (spent.delta_atto > (COALESCE(cap.delta_atto, ('-1'::integer)::bigint))::numeric))));

CREATE TABLE golden.period (
    id integer NOT NULL,
    entry_id integer NOT NULL,
    name character varying NOT NULL,
    generation integer NOT NULL,
    content character varying NOT NULL,
    state character varying NOT NULL,
    likeness bytea,
    day date NOT NULL,
    CONSTRAINT period_generation_check CHECK ((generation >= 1))
);

CREATE SEQUENCE golden.period_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE golden.period_id_seq OWNED BY golden.period.id;

CREATE TABLE golden.period_output (
    id integer NOT NULL,
    attempt integer NOT NULL,
    output bytea NOT NULL,
    CONSTRAINT period_output_attempt_check CHECK ((attempt >= 1))
);

CREATE TABLE golden.period_run (
    id integer NOT NULL,
    period_id integer NOT NULL,
    attempt integer NOT NULL,
    CONSTRAINT period_run_attempt_check CHECK ((attempt >= 2))
);

CREATE SEQUENCE golden.period_run_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE golden.period_run_id_seq OWNED BY golden.period_run.id;

CREATE TABLE golden.resumption (
    id integer NOT NULL,
    entry_id integer NOT NULL,
    attempt integer NOT NULL,
    CONSTRAINT resumption_attempt_check CHECK ((attempt >= 2))
);

CREATE SEQUENCE golden.resumption_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE golden.resumption_id_seq OWNED BY golden.resumption.id;

CREATE SEQUENCE golden.scope_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE golden.scope_id_seq OWNED BY golden.scope.id;

ALTER TABLE ONLY golden.budget_change ALTER COLUMN id SET DEFAULT nextval('golden.budget_change_id_seq'::regclass);

ALTER TABLE ONLY golden.declaration ALTER COLUMN id SET DEFAULT nextval('golden.declaration_id_seq'::regclass);

ALTER TABLE ONLY golden.dpspin_ledger ALTER COLUMN schema_version SET DEFAULT nextval('golden.dpspin_ledger_schema_version_seq'::regclass);

ALTER TABLE ONLY golden.entry ALTER COLUMN id SET DEFAULT nextval('golden.entry_id_seq'::regclass);

ALTER TABLE ONLY golden.period ALTER COLUMN id SET DEFAULT nextval('golden.period_id_seq'::regclass);

ALTER TABLE ONLY golden.period_run ALTER COLUMN id SET DEFAULT nextval('golden.period_run_id_seq'::regclass);

ALTER TABLE ONLY golden.resumption ALTER COLUMN id SET DEFAULT nextval('golden.resumption_id_seq'::regclass);

ALTER TABLE ONLY golden.scope ALTER COLUMN id SET DEFAULT nextval('golden.scope_id_seq'::regclass);

INSERT INTO golden.budget_change VALUES (1, 1, 3000000000, 0, 0, 'the owner', '2026-11-17');

INSERT INTO golden.declaration VALUES (1, 'tickets', 'user_column', 'customer', 'the owner', '2026-11-17');

INSERT INTO golden.dpspin_ledger VALUES (5, 'f77acab0168a96c1e514a8466ea074095e01016807dd4476922d2d1ea270f60b');

INSERT INTO golden.entry VALUES (1, 1, 'answered', 'digest of tickets', 250000000, 0, 31250001, 'user', 'add_drop', 'laplace', '{"mechanism":{"kind":"laplace"}}', NULL, '2026-11-17', 'customer', NULL);
INSERT INTO golden.entry VALUES (2, 1, 'resumed', 'digest of tickets', 250000000, 0, 31250001, 'user', 'add_drop', 'laplace', '{"mechanism":{"kind":"laplace"}}', NULL, '2026-11-17', 'customer', NULL);
INSERT INTO golden.entry VALUES (3, 1, 'stopped', 'digest of tickets', 250000000, 0, 31250001, 'user', 'add_drop', 'laplace', '{"mechanism":{"kind":"laplace"}}', NULL, '2026-11-17', 'customer', NULL);
INSERT INTO golden.entry VALUES (4, 1, 'a life', 'content of nobody', 1000000000, 0, 500000001, 'user', 'add_drop', 'laplace in a series', '{"mechanism":{"kind":"laplace"},"series":{"life":1}}', NULL, '2026-11-17', 'customer', NULL);

INSERT INTO golden.link VALUES (1, 'scope', 1, '60bcf875e521da680d4316ede86e2b54d8783667397aa1640dde427ffbbdf98f', '2bcd4ce1d75bd56bd2758e82df476710483eb7521935fa24b71bc250f847d8bf');
INSERT INTO golden.link VALUES (2, 'budget', 1, 'dc7e1c9f614e6705b850750eed457987600307d8f1d9c01ad5835c5302027cd8', '2899a0c56154957045f48d58b903a840d0a1bcc9f555c38d9318fe48b6fd2906');
INSERT INTO golden.link VALUES (3, 'declaration', 1, '90188d628f15b8c2d84da8b896b084c4d16108db7572803fe20f89f06b02e825', 'f22347517f77c9b2c5492d200d6bdc585e50ea3977260ff528b041dda5cc098c');
INSERT INTO golden.link VALUES (4, 'entry', 1, 'ff62c2ab00904445caa11bc703dd4df31b131a365bee6ea4b4fb6160d7512314', 'e5ccafb0630b636142ab9b3281be1bca9a1369f7f42e64201e2449058a698087');
INSERT INTO golden.link VALUES (5, 'output', 1, '7c23ca63778c41eb4e27104b5f82efc9c243f3431ff17ee1577a60c5265898eb', '5879e31df8766755af6d35704e078f5f230ed6bb901240e3e4ad81e7d93797df');
INSERT INTO golden.link VALUES (6, 'entry', 2, '09ec306e0d58d480387b1a6f3de771cf9bdbbab053d3fa0c69d1fb85f8ba598d', '94f8991311508de927c1c7ab86244b570bd1afe8b46a18dc2b6c146aff512162');
INSERT INTO golden.link VALUES (7, 'output', 2, 'c71b368ffdf1b9246f33e4756fe1086a669a97ebac411dc3f2ee7db4435b5a32', '80ecf3f3dbdbb7b7bace9b32c56e5f09303e49b391d5c8c1fd63e40ceb997c0c');
INSERT INTO golden.link VALUES (8, 'entry', 3, '1db7408d59ec67d006ada85df91276762e65e9b6f46b90295aeea858ec3e9bb2', 'f5700860adfb5bde38b99e53cfb36351f68edacd4c3e228420f787b8341eecfe');
INSERT INTO golden.link VALUES (9, 'entry', 4, '2dacdc6831941ed73fdada1cb459518ddf6c166fa50835c6ee7b3499ef45c1a6', 'ca39705b7d4432227c33fee0f84a871ac47d888ec3feffdeb760329fa8f43664');
INSERT INTO golden.link VALUES (10, 'output', 4, '182045033855250390280895c5890314e9559104199151221028dffda04669a5', 'ebc5d6563d1395e9d78490e298110239bdcaa32a0bfc6e2d4127ad97c74e2651');
INSERT INTO golden.link VALUES (11, 'period', 1, '9fbab78ab44efb87b9a6e2d61be0bd41d41c25d809f6597a11c32b135dd13981', 'c67fce3c65ab6492d0020c0c079e04fc31208b2df62c6c1d0cc41de592d8ed8b');
INSERT INTO golden.link VALUES (12, 'period_output', 1, 'bcf630ada55ea9ab4e380fb574ae94d974a896b24dad581f17878b8805f55c3a', '7a06278155fb26b344c320b77bdfdf60a1347e3b2fc2c5af2346e5a8f1b00cf0');
INSERT INTO golden.link VALUES (13, 'period', 2, 'ab95e9a86762452419e11b43c768d7599c972037eaffa95d86fb02c07be28943', 'e5207f95fbd2561efc68ad79a5e9f6b15929be5540760f0d7dad23e5f303597a');

INSERT INTO golden.output VALUES (1, 1, '\x7b2261223a2022706c616e227d');
INSERT INTO golden.output VALUES (2, 2, '\x7b2261223a2022726573756d656420706c616e227d');
INSERT INTO golden.output VALUES (4, 1, '\x7465726d73');

INSERT INTO golden.period VALUES (1, 4, '2026-W01', 1, 'records of 2026-W01', 'state 1', NULL, '2026-11-17');
INSERT INTO golden.period VALUES (2, 4, '2026-W02', 2, 'records of 2026-W02', 'state 2', NULL, '2026-11-17');

INSERT INTO golden.period_output VALUES (1, 2, '\x706c616e206f6620323032362d573031');

INSERT INTO golden.period_run VALUES (1, 1, 2);
INSERT INTO golden.period_run VALUES (2, 2, 2);

INSERT INTO golden.resumption VALUES (1, 2, 2);
INSERT INTO golden.resumption VALUES (2, 3, 2);

INSERT INTO golden.scope VALUES (1, 'dataset', 'tickets', 'epsilon', NULL, NULL, 'user', 'add_drop');

SELECT pg_catalog.setval('golden.budget_change_id_seq', 1, true);

SELECT pg_catalog.setval('golden.declaration_id_seq', 1, true);

SELECT pg_catalog.setval('golden.dpspin_ledger_schema_version_seq', 1, false);

SELECT pg_catalog.setval('golden.entry_id_seq', 4, true);

SELECT pg_catalog.setval('golden.period_id_seq', 2, true);

SELECT pg_catalog.setval('golden.period_run_id_seq', 2, true);

SELECT pg_catalog.setval('golden.resumption_id_seq', 2, true);

SELECT pg_catalog.setval('golden.scope_id_seq', 1, true);

ALTER TABLE ONLY golden.budget_change
    ADD CONSTRAINT budget_change_pkey PRIMARY KEY (id);

ALTER TABLE ONLY golden.declaration
    ADD CONSTRAINT declaration_dataset_subject_value_key UNIQUE (dataset, subject, value);

ALTER TABLE ONLY golden.declaration
    ADD CONSTRAINT declaration_pkey PRIMARY KEY (id);

ALTER TABLE ONLY golden.dpspin_ledger
    ADD CONSTRAINT dpspin_ledger_pkey PRIMARY KEY (schema_version);

ALTER TABLE ONLY golden.entry
    ADD CONSTRAINT entry_pkey PRIMARY KEY (id);

ALTER TABLE ONLY golden.entry
    ADD CONSTRAINT entry_scope_id_fingerprint_key UNIQUE (scope_id, fingerprint);

ALTER TABLE ONLY golden.link
    ADD CONSTRAINT link_kind_row_id_key UNIQUE (kind, row_id);

ALTER TABLE ONLY golden.link
    ADD CONSTRAINT link_pkey PRIMARY KEY ("position");

ALTER TABLE ONLY golden.link
    ADD CONSTRAINT link_public_hash_key UNIQUE (public_hash);

ALTER TABLE ONLY golden.output
    ADD CONSTRAINT output_pkey PRIMARY KEY (id);

ALTER TABLE ONLY golden.period
    ADD CONSTRAINT period_entry_id_generation_key UNIQUE (entry_id, generation);

ALTER TABLE ONLY golden.period
    ADD CONSTRAINT period_entry_id_name_key UNIQUE (entry_id, name);

ALTER TABLE ONLY golden.period_output
    ADD CONSTRAINT period_output_pkey PRIMARY KEY (id);

ALTER TABLE ONLY golden.period
    ADD CONSTRAINT period_pkey PRIMARY KEY (id);

ALTER TABLE ONLY golden.period_run
    ADD CONSTRAINT period_run_period_id_attempt_key UNIQUE (period_id, attempt);

ALTER TABLE ONLY golden.period_run
    ADD CONSTRAINT period_run_pkey PRIMARY KEY (id);

ALTER TABLE ONLY golden.resumption
    ADD CONSTRAINT resumption_entry_id_attempt_key UNIQUE (entry_id, attempt);

ALTER TABLE ONLY golden.resumption
    ADD CONSTRAINT resumption_pkey PRIMARY KEY (id);

ALTER TABLE ONLY golden.scope
    ADD CONSTRAINT scope_kind_name_key UNIQUE (kind, name);

ALTER TABLE ONLY golden.scope
    ADD CONSTRAINT scope_pkey PRIMARY KEY (id);

CREATE TRIGGER a_waits_for_its_account BEFORE INSERT ON golden.budget_change FOR EACH ROW EXECUTE FUNCTION golden.waits_for_its_account();

CREATE TRIGGER a_waits_for_its_account BEFORE INSERT ON golden.entry FOR EACH ROW EXECUTE FUNCTION golden.waits_for_its_account();

CREATE TRIGGER budget_change_is_fixed BEFORE DELETE OR UPDATE ON golden.budget_change FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER budget_change_stays BEFORE TRUNCATE ON golden.budget_change FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER cap_covers_what_is_spent AFTER INSERT ON golden.budget_change FOR EACH ROW EXECUTE FUNCTION golden.cap_covers_what_is_spent();

CREATE TRIGGER declaration_is_fixed BEFORE DELETE OR UPDATE ON golden.declaration FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER declaration_stays BEFORE TRUNCATE ON golden.declaration FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER dpspin_ledger_is_fixed BEFORE DELETE OR UPDATE ON golden.dpspin_ledger FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER dpspin_ledger_stays BEFORE TRUNCATE ON golden.dpspin_ledger FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER entry_fits_its_account BEFORE INSERT ON golden.entry FOR EACH ROW EXECUTE FUNCTION golden.entry_fits_its_account();

CREATE TRIGGER entry_is_affordable AFTER INSERT ON golden.entry FOR EACH ROW EXECUTE FUNCTION golden.entry_is_affordable();

CREATE TRIGGER entry_is_fixed BEFORE DELETE OR UPDATE ON golden.entry FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER entry_is_of_one_kind BEFORE INSERT ON golden.entry FOR EACH ROW EXECUTE FUNCTION golden.entry_is_of_one_kind();

CREATE TRIGGER entry_names_its_users BEFORE INSERT ON golden.entry FOR EACH ROW EXECUTE FUNCTION golden.entry_names_its_users();

CREATE TRIGGER entry_stays BEFORE TRUNCATE ON golden.entry FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER link_is_fixed BEFORE DELETE OR UPDATE ON golden.link FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER link_is_the_next BEFORE INSERT ON golden.link FOR EACH ROW EXECUTE FUNCTION golden.link_is_the_next();

CREATE TRIGGER link_stays BEFORE TRUNCATE ON golden.link FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER one_version BEFORE INSERT ON golden.dpspin_ledger FOR EACH ROW EXECUTE FUNCTION golden.one_version();

CREATE TRIGGER output_is_fixed BEFORE DELETE OR UPDATE ON golden.output FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER output_is_of_the_newest BEFORE INSERT ON golden.output FOR EACH ROW EXECUTE FUNCTION golden.output_is_of_the_newest();

CREATE TRIGGER output_stays BEFORE TRUNCATE ON golden.output FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER period_follows BEFORE INSERT ON golden.period FOR EACH ROW EXECUTE FUNCTION golden.period_follows();

CREATE TRIGGER period_is_fixed BEFORE DELETE OR UPDATE ON golden.period FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER period_output_is_fixed BEFORE DELETE OR UPDATE ON golden.period_output FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER period_output_is_of_the_newest BEFORE INSERT ON golden.period_output FOR EACH ROW EXECUTE FUNCTION golden.period_output_is_of_the_newest();

CREATE TRIGGER period_output_stays BEFORE TRUNCATE ON golden.period_output FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER period_run_is_fixed BEFORE DELETE OR UPDATE ON golden.period_run FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER period_run_is_the_next BEFORE INSERT ON golden.period_run FOR EACH ROW EXECUTE FUNCTION golden.period_run_is_the_next();

CREATE TRIGGER period_run_stays BEFORE TRUNCATE ON golden.period_run FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER period_stays BEFORE TRUNCATE ON golden.period FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER population_is_one BEFORE INSERT ON golden.scope FOR EACH ROW EXECUTE FUNCTION golden.population_is_one();

CREATE TRIGGER resumption_is_fixed BEFORE DELETE OR UPDATE ON golden.resumption FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER resumption_is_the_next BEFORE INSERT ON golden.resumption FOR EACH ROW EXECUTE FUNCTION golden.resumption_is_the_next();

CREATE TRIGGER resumption_stays BEFORE TRUNCATE ON golden.resumption FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER scope_is_fixed BEFORE DELETE OR UPDATE ON golden.scope FOR EACH ROW EXECUTE FUNCTION golden.row_is_fixed();

CREATE TRIGGER scope_stays BEFORE TRUNCATE ON golden.scope FOR EACH STATEMENT EXECUTE FUNCTION golden.row_is_fixed();

ALTER TABLE ONLY golden.budget_change
    ADD CONSTRAINT budget_change_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES golden.scope(id);

ALTER TABLE ONLY golden.entry
    ADD CONSTRAINT entry_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES golden.scope(id);

ALTER TABLE ONLY golden.output
    ADD CONSTRAINT output_id_fkey FOREIGN KEY (id) REFERENCES golden.entry(id);

ALTER TABLE ONLY golden.period
    ADD CONSTRAINT period_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES golden.entry(id);

ALTER TABLE ONLY golden.period_output
    ADD CONSTRAINT period_output_id_fkey FOREIGN KEY (id) REFERENCES golden.period(id);

ALTER TABLE ONLY golden.period_run
    ADD CONSTRAINT period_run_period_id_fkey FOREIGN KEY (period_id) REFERENCES golden.period(id);

ALTER TABLE ONLY golden.resumption
    ADD CONSTRAINT resumption_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES golden.entry(id);

ALTER TABLE ONLY golden.scope
    ADD CONSTRAINT scope_population_id_fkey FOREIGN KEY (population_id) REFERENCES golden.scope(id);
