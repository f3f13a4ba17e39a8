CREATE TABLE "quarry"."evaluation_datasets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"name" text NOT NULL,
	"questions" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quarry"."evaluation_questions" (
	"dataset_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"question" jsonb NOT NULL,
	CONSTRAINT "evaluation_questions_dataset_id_position_pk" PRIMARY KEY("dataset_id","position")
);
--> statement-breakpoint
CREATE TABLE "quarry"."evaluation_results" (
	"evaluation_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"scores" jsonb,
	"error" jsonb,
	"latency_ms" double precision,
	"answer" text,
	"results" jsonb NOT NULL,
	CONSTRAINT "evaluation_results_evaluation_id_position_pk" PRIMARY KEY("evaluation_id","position")
);
--> statement-breakpoint
CREATE TABLE "quarry"."evaluations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"dataset_id" uuid NOT NULL,
	"name" text NOT NULL,
	"datastore_id" uuid,
	"agent_id" uuid,
	"settings" jsonb NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"ended" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"metrics" jsonb,
	"error" jsonb,
	"claimed_until" timestamp with time zone,
	"claim" integer DEFAULT 0 NOT NULL,
	"served_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "quarry"."evaluation_datasets" ADD CONSTRAINT "evaluation_datasets_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."evaluation_questions" ADD CONSTRAINT "evaluation_questions_dataset_id_evaluation_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "quarry"."evaluation_datasets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."evaluation_results" ADD CONSTRAINT "evaluation_results_evaluation_id_evaluations_id_fk" FOREIGN KEY ("evaluation_id") REFERENCES "quarry"."evaluations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."evaluations" ADD CONSTRAINT "evaluations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."evaluations" ADD CONSTRAINT "evaluations_dataset_id_evaluation_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "quarry"."evaluation_datasets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "evaluation_datasets_of_organization" ON "quarry"."evaluation_datasets" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "evaluations_newest" ON "quarry"."evaluations" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "evaluations_of_dataset" ON "quarry"."evaluations" USING btree ("dataset_id");--> statement-breakpoint
CREATE INDEX "evaluations_in_progress" ON "quarry"."evaluations" USING btree ("organization_id","id") WHERE "quarry"."evaluations"."ended_at" is null;